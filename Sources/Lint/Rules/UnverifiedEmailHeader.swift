import Config
import Diagnostics
import Providers

extension RuleName {
    static let unverifiedEmailHeader = RuleName("unverified-email-header", .warning)
}

extension Rule {
    static let unverifiedEmailHeader = Rule(
        .unverifiedEmailHeader, what: "The gateway sends e-mail addresses that the provider has not verified to the upstream.",
        why:
            "At such a provider, anyone can enter any address in their profile. An app that identifies users by address would accept them as the owner of that address.",
        instead: "Remove `unverifiedEmail`, or let the app identify users by `X-Forwarded-User`.",
        bad: Example(
            """
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
            routes: [{ path: /**, access: { claims: { country: SE } } }]
            identity: { unverifiedEmail: «true» }
            """),
        good: Example(
            """
            identity: { unverifiedEmail: false }
            """),
        check: { context in
            guard let item = context.root["identity"]?.object?["unverifiedEmail"], item.boolean == true else { return [] }
            let silent = context.providers.filter { provider in
                provider.configuration.enabled && (provider.settings?.admitsAnyone ?? false)
                    && !(provider.settings?.vouchesForEmail ?? true)
            }
            guard let provider = silent.first else { return [] }
            return [
                Diagnostic(
                    .unverifiedEmailHeader, at: item.referenceSpan, "anyone can claim any address at `\(provider.id)`",
                    label: "sent without verification",
                    help: "remove it, or let the app identify users by `X-Forwarded-User`",
                    related: [RelatedPlace("this provider", at: provider.idSpan)])
            ]
        })
}
