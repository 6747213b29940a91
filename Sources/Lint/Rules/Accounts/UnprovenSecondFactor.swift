import Config
import Diagnostics
import Providers

extension RuleName {
    static let unprovenSecondFactor = RuleName("unproven-second-factor")
}

extension Rule {
    static let unprovenSecondFactor = Rule(
        .unprovenSecondFactor, what: "A plain OAuth 2.0 provider has `secondFactor: trusted`.",
        why:
            "Only an ID token proves how a user signed in. The object that the API of such a provider returns does not, and users may edit it, so the gateway reads no `amr` or `acr` from it.",
        instead:
            "Remove `secondFactor` from the provider; the gateway asks these users for a factor of its own. If the provider supports OpenID Connect, configure it as `oidc.<slug>` with its `issuer`.",
        bad: Example(
            """
            providers:
              - id: oauth2.legacy
                clientID: legacy
                clientSecret: ${env:LEGACY_SECRET}
                secondFactor: «trusted»
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
                secondFactor: trusted
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard provider.preset?.kind == .oauth2, let item = provider.object["secondFactor"],
                    provider.configuration.trustedSecondFactor != nil
                else { return nil }
                return Diagnostic(
                    .unprovenSecondFactor, at: item.referenceSpan, "`\(provider.id)` sends no ID token, so it proves no second factor",
                    label: "cannot be trusted",
                    help: "remove it; the gateway asks these users for a factor of its own",
                    related: [RelatedPlace("plain OAuth 2.0", at: provider.idSpan)])
            }
        })
}
