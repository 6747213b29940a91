import Config
import Diagnostics
import Providers

extension Rule {
    static let clockSkew = Rule(
        .clockSkew, what: "With `--online`: this machine's clock and the provider's differ by more than a minute.",
        why:
            "Tokens are valid from one time to another. With a wrong clock they are not valid yet, or no longer, and sign-ins fail at random.",
        instead: "Synchronise the clock of this machine (NTP).",
        bad: Example(
            """
            providers:
              - id: «oidc.acme»
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.receivedAt += 180_000 },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        online: { context in
            context.providers.compactMap { provider in
                guard case .answer(_, _, let date?, let receivedAt) = provider.answers.discovery, let theirs = DateField.seconds(date)
                else { return nil }
                let difference = receivedAt / 1000 - theirs
                guard abs(difference) > 60 else { return nil }
                return Diagnostic(
                    .clockSkew, at: provider.provider.idSpan,
                    "this machine's clock is \(abs(difference)) s \(difference > 0 ? "ahead of" : "behind") that of `\(provider.id)`",
                    label: "tokens seem \(difference > 0 ? "expired" : "not valid yet")",
                    help: "synchronise the clock of this machine")
            }
        })
}
