import Config
import Diagnostics

extension RuleName {
    static let repeatedEndpoint = RuleName("repeated-endpoint", .warning)
}

extension Rule {
    static let repeatedEndpoint = Rule(
        .repeatedEndpoint, what: "Two endpoints of a provider are the same URL.",
        why:
            "One of them was probably copied and not changed. The gateway would send browsers or authorization codes to the wrong endpoint.",
        instead: "Look up the endpoints in the provider's documentation, or remove them and let discovery find them.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints:
                  authorization: https://auth.example.com/oauth/token
                  token: «https://auth.example.com/oauth/token»
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints:
                  authorization: https://auth.example.com/oauth/authorize
                  token: https://auth.example.com/oauth/token
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let endpoints = provider.object["endpoints"]?.object else { return [] }
                var first: [String: (key: String, span: SourceSpan)] = [:]
                return ["authorization", "token", "userinfo", "jwks"].compactMap { key in
                    guard let item = endpoints[key], let text = item.text else { return nil }
                    guard let other = first[text] else {
                        first[text] = (key, item.referenceSpan)
                        return nil
                    }
                    return Diagnostic(
                        .repeatedEndpoint, at: item.referenceSpan, "`\(key)` is the same URL as `\(other.key)`", label: "copied?",
                        help: "look up both in the provider's documentation", related: [RelatedPlace("the other endpoint", at: other.span)])
                }
            }
        })
}
