import Config
import Diagnostics
import Providers

extension RuleName {
    static let unusedProviderKey = RuleName("unused-provider-key", .warning)
}

extension Rule {
    static let unusedProviderKey = Rule(
        .unusedProviderKey, what: "A provider has a key that it does not use.",
        why: "The key, such as `tenant` or `baseURL`, has no effect with this provider.",
        instead: "Remove the key, or correct the provider's `id`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                «tenant»: contoso.onmicrosoft.com
            """),
        good: Example(
            """
            providers:
              - id: microsoft.com
                tenant: contoso.onmicrosoft.com
                clientID: 5f3c0d6e-7a1b-4c2d-9e8f-0a1b2c3d4e5f
                clientSecret: ${env:MICROSOFT_CLIENT_SECRET}
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let preset = provider.preset else { return [] }
                let uses: [(key: String, isUsed: Bool, where: String)] = [
                    ("tenant", preset.uses("{tenant}"), "`microsoft.com`"), ("realm", preset.uses("{realm}"), "`keycloak`"),
                    ("teamID", preset.habits.signsClientSecret, "`apple.com`"),
                    ("apiVersion", preset.uses("{version}"), "`facebook.com`"),
                    // The base URL is also the issuer of plain OAuth 2.0 identities, so it is always used there.
                    ("baseURL", preset.kind == .oauth2 || preset.uses("{base}"), "providers that are self-hosted"),
                ]
                return uses.compactMap { key, isUsed, place in
                    guard !isUsed, let span = provider.object.keySpan(key) else { return nil }
                    return Diagnostic(
                        .unusedProviderKey, at: span, "`\(provider.id)` does not use `\(key)`", label: "unused",
                        help: "remove it; it is for \(place)")
                }
            }
        })
}

extension ProviderPreset {
    /// Returns whether the issuer or an endpoint has this variable in its template.
    fileprivate func uses(_ name: String) -> Bool {
        [self.endpoints, self.selfHostedEndpoints ?? Endpoints()].contains { endpoints in
            [endpoints.authorization, endpoints.token, endpoints.userinfo, endpoints.jwks].contains { $0?.contains(name) ?? false }
        } || self.issuer?.contains(name) ?? false
    }
}
