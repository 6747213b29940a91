import Providers
import Config
import Diagnostics

extension Rule {
    static let unverifiedEmailRule = Rule(
        .unverifiedEmailRule, what: "An `emails` rule meets a provider that never vouches for addresses.",
        why: "Only verified addresses satisfy `emails`, so nobody who signs in there passes.",
        instead:
            "Use groups, claims or users for them. `trustEmail: true` counts every address of the provider as verified: right for a company's own directory only.",
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
                    .unverifiedEmailRule, at: emails.span, "`\(first.id)` never says whether an address is verified",
                    label: "nobody from there passes",
                    help: "use `groups`, `claims` or `users`; for a directory of your own set `trustEmail: true`",
                    related: met.map { RelatedPlace("this provider", at: $0.idSpan) })
            }
        })
}
