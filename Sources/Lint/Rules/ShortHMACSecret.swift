import Config
import Diagnostics

extension RuleName {
    static let shortHMACSecret = RuleName("short-hmac-secret", .warning)
}

extension Rule {
    static let shortHMACSecret = Rule(
        .shortHMACSecret, what: "ID tokens may be signed with HMAC, and the client secret used as the key is too short.",
        why: "An attacker with one ID token can guess a short secret offline, and then sign tokens for any user (RFC 7518 section 3.2).",
        instead: "Use an asymmetric algorithm such as RS256 or ES256. For HS256, use a secret of at least 32 bytes.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                idTokenAlgorithms: [«HS512»]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                idTokenAlgorithms: [RS256]
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard provider.object["clientSecret"]?.isUnreadable != true else { return [] }
                let length = provider.configuration.clientSecret?.exposed.utf8.count ?? 0
                return (provider.object["idTokenAlgorithms"]?.list ?? []).compactMap { item in
                    guard let name = item.text, name.hasPrefix("HS"), let bits = Int(name.dropFirst(2)), length < bits / 8 else {
                        return nil
                    }
                    return Diagnostic(
                        .shortHMACSecret, at: item.referenceSpan,
                        length == 0 ? "`\(name)` needs a client secret as its key" : "the client secret is too short for `\(name)`",
                        label: "needs \(bits / 8) bytes",
                        help: "write the provider's algorithm, such as `[RS256]`, or create a longer secret")
                }
            }
        })
}
