import Config
import TokenCrypto

/// The members of a discovery document (OpenID Connect Discovery 1.0 section 3) that rules read.
struct OnlineMetadata {
    private let document: JSONValue
    /// The reason why the document cannot be used; nil if usable.
    let problem: String?

    /// Nil unless the response is a JSON object.
    init?(_ fetch: OnlineAnswers.Fetch) {
        guard case .answer(200, let body, _, _) = fetch, let document = try? JSONValue(parsing: body), document.object != nil else {
            return nil
        }
        self.document = document
        let missing = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"].filter { document[$0]?.string == nil }
        problem = missing.isEmpty ? nil : "it lacks " + missing.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// Returns why the discovery document cannot be used; nil if usable.
    static func problem(of fetch: OnlineAnswers.Fetch) -> String? {
        switch fetch {
        case .failure(let reason): return reason
        case .answer(let status, _, _, _) where status != 200: return "the response has status \(status)"
        case .answer: return OnlineMetadata(fetch).map(\.problem) ?? "the response is not a JSON object"
        }
    }

    var issuer: String? { document["issuer"]?.string }

    func endpoint(_ name: String) -> String? { document[name]?.string }

    /// The strings of a list member; nil if the document lacks it.
    func list(_ name: String) -> [String]? { document[name]?.array?.compactMap(\.string) }
}
