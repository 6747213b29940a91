import Config
import Diagnostics
import Providers

extension Rule {
    static let unverifiedEmailHeader = Rule(
        .unverifiedEmailHeader, what: "Addresses are sent to the upstream that no provider vouches for.",
        why:
            "At such a provider anyone can write any address into their profile, and an app that knows people by address takes them for its owner.",
        instead: "Remove `unverifiedEmail`, or let the app know people by `X-Forwarded-User`.",
        bad: Example(
            """
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
            routes: [{ path: /**, access: { groups: [staff] } }]
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
                    label: "sent all the same",
                    help: "remove it, or have the app know people by `X-Forwarded-User`",
                    related: [RelatedPlace("this provider", at: provider.idSpan)])
            ]
        })
}
