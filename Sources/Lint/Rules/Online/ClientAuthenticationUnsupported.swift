import Config
import Diagnostics
import Providers

extension RuleName {
    static let clientAuthenticationUnsupported = RuleName("client-authentication-unsupported", .warning)
}

extension Rule {
    static let clientAuthenticationUnsupported = Rule(
        .clientAuthenticationUnsupported, what: "With `--online`: the provider does not support the configured client authentication.",
        why: "The code exchange fails, and every sign-in ends with `invalid_client`.",
        instead: "Remove `clientAuthentication`, so that the gateway picks a supported method, or set it to a supported one.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                clientAuthentication: «client_secret_basic»
            """),
        badAnswers: OnlineExample { $0.metadata["token_endpoint_auth_methods_supported"] = "[\"client_secret_post\"]" },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                clientAuthentication: client_secret_post
            """),
        online: { context in
            context.providers.compactMap { provider in
                guard let metadata = provider.metadata else { return nil }
                // OpenID Connect Discovery 1.0 section 3: the default is client_secret_basic.
                let offered = metadata.list("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
                let wanted = provider.settings.clientAuthentication.map { [$0.rawValue] } ?? ["client_secret_basic", "client_secret_post"]
                // A public client proves itself with PKCE; few providers list `none`.
                guard wanted != ["none"], !wanted.contains(where: offered.contains) else { return nil }
                return Diagnostic(
                    .clientAuthenticationUnsupported,
                    at: provider.provider.object["clientAuthentication"]?.referenceSpan ?? provider.addressSpan,
                    "`\(provider.id)` does not accept \(wanted.map { "`\($0)`" }.joined(separator: " or "))",
                    label: "every sign-in would fail",
                    help: "it accepts \(offered.prefix(10).map(OnlineContext.shown).joined(separator: ", "))")
            }
        })
}
