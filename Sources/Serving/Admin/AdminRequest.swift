import HTTPWire
import SignIn

/// What a request to the admin interface asks for. Everything that is not exactly one of these is refused: a typing error must not end
/// everyone's sessions.
enum AdminRequest: Sendable, Equatable {
    case list(uid: String)
    case end(reference: String)
    case endAll(uid: String)
    case endEveryone

    struct Refusal: Error, Equatable {
        let status: Int
        let code: String
        let message: String
        /// For `Allow`.
        var allow: String?

        static func invalid(_ message: String) -> Refusal { Refusal(status: 400, code: "auth/invalid-request", message: message) }
        static func method(_ allow: String) -> Refusal {
            Refusal(
                status: 405, code: "proxy/method-not-allowed", message: "This path does not support this method.", allow: allow)
        }
    }

    /// Whether a path belongs to the interface.
    static func covers(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    private static let root = "/sessions"
    private static let longestUID = 256

    /// `query`: from `?` (included); nil without one.
    init(_ method: HTTPWire.Method, path: String, query: String?, hasBody: Bool) throws(Refusal) {
        let isRoot = path == Self.root
        switch method {
        case .get, .head: guard isRoot else { throw .method("DELETE") }
        case .delete: break
        default: throw .method(isRoot ? "GET, HEAD, DELETE" : "DELETE")
        }
        // A parameter in the body would otherwise be ignored, and with it the limit to one user.
        guard !hasBody else { throw .invalid("This request takes no body; write the parameter into the query.") }
        guard isRoot else {
            let reference = String(path.dropFirst(Self.root.utf8.count + 1))
            guard !reference.isEmpty else { throw .invalid("The id of the session is empty.") }
            guard query == nil else { throw .invalid("This path takes no parameter.") }
            self = .end(reference: reference)
            return
        }
        guard let query else {
            guard method == .delete else { throw .invalid("The parameter `user` is missing.") }
            self = .endEveryone
            return
        }
        guard let fields = FormCoding.fields(of: String(query.dropFirst())), fields.count == 1, let field = fields.first,
            field.name == "user"
        else { throw .invalid("The only parameter is `user`, once.") }
        let uid = field.value
        guard !uid.isEmpty, uid.utf8.count <= Self.longestUID, uid.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .invalid("`user` needs the uid of a user.")
        }
        self = method == .delete ? .endAll(uid: uid) : .list(uid: uid)
    }
}
