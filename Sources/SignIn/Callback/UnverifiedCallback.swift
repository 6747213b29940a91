/// The parameters of an authorization response. Nothing in them is verified: `CallbackVerifier` makes a `VerifiedState` of them.
///
/// Made only by its parser.
package struct UnverifiedCallback: Sendable {
    package enum Refusal: Error, Sendable, Hashable {
        /// Over 16 KiB.
        case tooLarge
        /// An incomplete escape, or not UTF-8.
        case encoding
        /// A protocol parameter twice, be it empty (RFC 6749 section 3.1).
        case duplicate(String)
    }

    package static let maximumBytes = 16 * 1024

    package let code: String?
    package let state: String?
    package let error: String?
    /// RFC 9207.
    package let issuer: String?
    /// Apple's `user` field, JSON and unsigned: for showing only.
    package let user: String?

    /// A query, without its question mark, or a form body. An empty parameter is an omitted one, an unknown one is ignored.
    package init(parsing text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        guard let fields = FormCoding.fields(of: text) else { throw .encoding }
        var values: [String: String] = [:]
        for field in fields where Self.known.contains(field.name) {
            guard values.updateValue(field.value, forKey: field.name) == nil else { throw .duplicate(field.name) }
        }
        func value(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.code = value("code")
        self.state = value("state")
        self.error = value("error")
        self.issuer = value("iss")
        self.user = value("user")
    }

    private static let known: Set<String> = ["code", "state", "error", "error_description", "error_uri", "iss", "user"]
}

extension UnverifiedCallback.Refusal {
    /// As the user and the log get it.
    package func signInError(provider: String) -> SignInError {
        switch self {
        case .tooLarge: SignInError(.invalidRequest, provider: provider, "the callback's parameters are larger than 16 KiB")
        case .encoding: SignInError(.invalidRequest, provider: provider, "the callback's parameters are badly encoded")
        case .duplicate(let name): SignInError(.invalidRequest, provider: provider, "the callback has the parameter \(name) twice")
        }
    }
}
