import Config
import TokenCrypto

/// A discovery document (OpenID Connect Discovery 1.0 section 3), as far as the rules read it.
struct OnlineMetadata {
    private let document: JSONValue
    /// Why the document cannot be used; nil when it can.
    let problem: String?

    /// Nil when there was no answer, or none that is a JSON object.
    init?(_ fetch: OnlineAnswers.Fetch) {
        guard case .answer(200, let body, _, _) = fetch, let document = try? JSONValue(parsing: body), document.object != nil else {
            return nil
        }
        self.document = document
        let missing = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"].filter { document[$0]?.string == nil }
        problem = missing.isEmpty ? nil : "it lacks " + missing.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// Why the discovery document cannot be used; nil when it can.
    static func problem(of fetch: OnlineAnswers.Fetch) -> String? {
        switch fetch {
        case .failure(let reason): return reason
        case .answer(let status, _, _, _) where status != 200: return "the answer has status \(status)"
        case .answer: return OnlineMetadata(fetch).map(\.problem) ?? "the answer is no JSON object"
        }
    }

    var issuer: String? { document["issuer"]?.string }

    func endpoint(_ name: String) -> String? { document[name]?.string }

    /// Nil when the document does not say.
    func list(_ name: String) -> [String]? { document[name]?.array?.compactMap(\.string) }
}
