import Config

/// The network results of an example: a provider at `https://auth.example.com` with one deliberate fault.
struct OnlineExample: Sendable {
    /// The members of the discovery document; nil removes a member.
    var metadata: [String: String] = [
        "issuer": "\"https://auth.example.com\"", "authorization_endpoint": "\"https://auth.example.com/authorize\"",
        "token_endpoint": "\"https://auth.example.com/token\"", "jwks_uri": "\"https://auth.example.com/keys\"",
        "response_types_supported": "[\"code\", \"id_token\"]", "response_modes_supported": "[\"query\", \"form_post\"]",
        "code_challenge_methods_supported": "[\"plain\", \"S256\"]",
        "scopes_supported": "[\"openid\", \"profile\", \"email\", \"mail.read\"]",
        "token_endpoint_auth_methods_supported": "[\"client_secret_basic\", \"client_secret_post\"]",
        "id_token_signing_alg_values_supported": "[\"RS256\", \"ES256\"]",
    ]
    var keys = "{\"keys\": [{\"kty\": \"RSA\", \"use\": \"sig\", \"kid\": \"1\", \"n\": \"wQ\", \"e\": \"AQAB\"}]}"
    var date = "Sat, 21 Nov 2026 12:00:00 GMT"
    var receivedAt: Int64 = 1_795_262_400_000
    var status = 200
    var unreachableUpstream: String?
    var unreachableStore: String?
    var accountStore: OnlineAnswers.AccountStore?

    init(_ change: (inout OnlineExample) -> Void = { _ in }) { change(&self) }

    func answers(for providers: [String], upstreams: [OnlineUpstream]) -> OnlineAnswers {
        let document = "{" + metadata.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
        var answers = OnlineAnswers()
        for id in providers {
            answers.providers[id] = .init(
                discovery: .answer(status: status, body: Array(document.utf8), date: date, receivedAt: receivedAt),
                keys: .answer(status: 200, body: Array(keys.utf8), date: date, receivedAt: receivedAt))
        }
        if let reason = unreachableUpstream { for upstream in upstreams { answers.unreachableUpstreams[upstream] = reason } }
        answers.unreachableStore = unreachableStore
        answers.accountStore = accountStore
        return answers
    }
}
