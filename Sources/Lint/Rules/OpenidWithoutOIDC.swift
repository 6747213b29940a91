import Config
import Diagnostics
import Providers

extension Rule {
    static let openidWithoutOIDC = Rule(
        .openidWithoutOIDC, what: "The scope `openid` is requested from a plain OAuth 2.0 provider.",
        why:
            "Nothing reads the ID token that it may bring: the person comes from the userinfo endpoint, and `iss` and `nonce` are not checked.",
        instead: "If the provider speaks OpenID Connect, configure it as `oidc.<slug>` with its `issuer`; else remove the scope.",
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
                        .openidWithoutOIDC, at: item.referenceSpan, "`\(provider.id)` reads no ID token", label: "asks for one",
                        help: "configure it as `oidc.<slug>` with its `issuer`, or remove this scope",
                        related: [RelatedPlace("plain OAuth 2.0", at: provider.idSpan)])
                }
            }
        })
}
