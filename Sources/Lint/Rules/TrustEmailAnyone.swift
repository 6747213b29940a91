import Config
import Diagnostics
import Providers

extension Rule {
    static let trustEmailAnyone = Rule(
        .trustEmailAnyone, what: "`trustEmail` is set for a provider at which anyone can make an account.",
        why: "Anyone can then claim any address there, and pass every `emails` rule as somebody else.",
        instead: "Remove `trustEmail`. It is for a company's own directory, where nobody chooses their address.",
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
                    label: "believed unchecked",
                    help: "remove it; use `groups`, `claims` or `users` for people from there",
                    related: [RelatedPlace("this provider", at: provider.idSpan)])
            }
        })
}
