import Primitives
import Config
import Diagnostics
import Providers

extension RuleName {
    static let insecureEndpoint = RuleName("insecure-endpoint", .warning)
}

extension Rule {
    static let insecureEndpoint = Rule(
        .insecureEndpoint, what: "With `--online`: the discovery document names an endpoint that does not use https.",
        why: "Codes, secrets and tokens would cross the network unencrypted. The gateway does not use such an endpoint.",
        instead:
            "Correct the public address in the provider's configuration. If the provider is behind a TLS proxy, this address is often set to http by mistake.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.metadata["token_endpoint"] = "\"http://auth.example.com/token\"" },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        online: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let metadata = provider.metadata else { return [] }
                let names = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"]
                return names.compactMap { name in
                    guard let text = metadata.endpoint(name) else { return nil }
                    let url = AbsoluteURL(text, allowing: .all)
                    guard url?.isSecure != true, url?.isLoopback != true else { return nil }
                    return Diagnostic(
                        .insecureEndpoint, at: provider.addressSpan,
                        "the discovery document of `\(provider.id)` names an endpoint that is not https",
                        label: "`\(name)`",
                        help: "it is \(OnlineContext.shown(text)); correct the public address in the provider's configuration")
                }
            }
        })
}
