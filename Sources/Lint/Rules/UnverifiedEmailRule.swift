import Providers
import Config
import Diagnostics

extension RuleName {
    static let unverifiedEmailRule = RuleName("unverified-email-rule", .warning)
}

extension Rule {
    static let unverifiedEmailRule = Rule(
        .unverifiedEmailRule, what: "An `emails` rule applies to a provider that never verifies addresses.",
        why: "Only verified addresses satisfy `emails`, so no user of that provider passes.",
        instead:
            "Use `groups`, `claims` or `users` for this provider. For your own company directory, set `trustEmail: true`, which treats all of its addresses as verified.",
        bad: Example(
            """
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
            routes: [{ path: /**, access: { emails: «[»"*@example.com"] } }]
            """),
        good: Example("routes: [{ path: /**, access: { emails: [\"*@example.com\"] } }]\n"),
        check: { context in
            let silent = context.providers.filter { provider in
                provider.configuration.enabled && !(provider.settings?.vouchesForEmail ?? true)
            }
            guard !silent.isEmpty else { return [] }
            return context.accessRules.compactMap { _, object in
                guard let emails = object["emails"], emails.list?.isEmpty == false else { return nil }
                let allowed = object["providers"]?.list?.compactMap(\.text)
                let met = silent.filter { provider in allowed?.contains(provider.id) ?? true }
                guard let first = met.first else { return nil }
                return Diagnostic(
                    .unverifiedEmailRule, at: emails.span, "`\(first.id)` does not say whether an address is verified",
                    label: "no user of this provider passes",
                    help: "use `groups`, `claims` or `users`; for your own directory, set `trustEmail: true`",
                    related: met.map { RelatedPlace("this provider", at: $0.idSpan) })
            }
        })
}
