import Config
import Diagnostics
import Providers

extension RuleName {
    static let noUsableKey = RuleName("no-usable-key", .warning)
}

extension Rule {
    static let noUsableKey = Rule(
        .noUsableKey, what: "With `--online`: the provider's keys cannot be fetched, or none can be used with an accepted algorithm.",
        why: "Without a key, the gateway cannot verify ID tokens, and no user can sign in with this provider.",
        instead: "Open the address of the keys (`jwks_uri` in the discovery document) in a browser on the same network.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.keys = "{\"keys\": [{\"kty\": \"RSA\", \"use\": \"enc\", \"n\": \"wQ\", \"e\": \"AQAB\"}]}" },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        online: { context in
            context.providers.compactMap { provider in
                let listed = provider.metadata?.list("id_token_signing_alg_values_supported")?.filter {
                    !$0.hasPrefix("HS") && $0 != "none"
                }
                let algorithms = provider.settings.idTokenAlgorithms ?? (listed?.isEmpty == false ? listed : nil) ?? ["RS256"]
                guard algorithms.contains(where: { !$0.hasPrefix("HS") }), let problem = problem(provider, algorithms) else { return nil }
                return Diagnostic(
                    .noUsableKey, at: provider.addressSpan, "no key of `\(provider.id)` can verify its ID tokens: \(problem)",
                    label: "users cannot sign in there",
                    help: "accepted algorithms: \(algorithms.prefix(10).map(OnlineContext.shown).joined(separator: ", "))")
            }
        })

    private static func problem(_ provider: OnlineContext.Provider, _ algorithms: [String]) -> String? {
        switch provider.answers.keys {
        case nil: return nil
        case .failure(let reason): return reason
        case .answer(200, let body, _, _):
            guard let count = KeySet.usableCount(body, algorithms: algorithms) else { return "the response is not a JWK set" }
            return count > 0 ? nil : "no key has an accepted algorithm"
        case .answer(let status, _, _, _): return "the response has status \(status)"
        }
    }
}
