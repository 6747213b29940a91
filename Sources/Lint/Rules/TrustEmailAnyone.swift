import Config
import Diagnostics
import Providers

extension RuleName {
    static let trustEmailAnyone = RuleName("trust-email-anyone", .warning)
}

extension Rule {
    static let trustEmailAnyone = Rule(
        .trustEmailAnyone, what: "`trustEmail` is set for a provider where anyone can create an account.",
        why: "Anyone can claim any address there and pass `emails` rules as another user.",
        instead: "Remove `trustEmail`. Use it only for a company directory in which users cannot choose their address.",
        bad: Example(
            """
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
                trustEmail: «true»
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                trustEmail: true
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["trustEmail"], item.boolean == true, provider.settings?.admitsAnyone ?? false else {
                    return nil
                }
                return Diagnostic(
                    .trustEmailAnyone, at: item.referenceSpan, "anyone can claim any address at `\(provider.id)`",
                    label: "trusted without verification",
                    help: "remove it; use `groups`, `claims` or `users` for this provider's users",
                    related: [RelatedPlace("this provider", at: provider.idSpan)])
            }
        })
}
