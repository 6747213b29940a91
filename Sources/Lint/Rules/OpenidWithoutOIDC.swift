import Config
import Diagnostics
import Providers

extension RuleName {
    static let openidWithoutOIDC = RuleName("openid-without-oidc", .warning)
}

extension Rule {
    static let openidWithoutOIDC = Rule(
        .openidWithoutOIDC, what: "The scope `openid` is requested from a plain OAuth 2.0 provider.",
        why:
            "The gateway ignores the ID token of such a provider. It reads the user from the userinfo endpoint, and does not check `iss` and `nonce`.",
        instead: "If the provider supports OpenID Connect, configure it as `oidc.<slug>` with its `issuer`. Otherwise remove the scope.",
        bad: Example(
            """
            providers:
              - id: oauth2.legacy
                clientID: legacy
                clientSecret: ${env:LEGACY_SECRET}
                scopes: [«openid»]
                endpoints:
                  authorization: https://legacy.example.com/authorize
                  token: https://legacy.example.com/token
                  userinfo: https://legacy.example.com/me
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [mail.read]
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard provider.preset?.kind == .oauth2, provider.isGeneric else { return [] }
                return (provider.object["scopes"]?.list ?? []).filter { $0.text == "openid" }.map { item in
                    Diagnostic(
                        .openidWithoutOIDC, at: item.referenceSpan, "the gateway reads no ID token from `\(provider.id)`",
                        label: "requests an ID token",
                        help: "configure it as `oidc.<slug>` with its `issuer`, or remove this scope",
                        related: [RelatedPlace("plain OAuth 2.0", at: provider.idSpan)])
                }
            }
        })
}
