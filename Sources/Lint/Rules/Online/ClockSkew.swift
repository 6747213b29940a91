import Config
import Diagnostics
import Providers

extension RuleName {
    static let clockSkew = RuleName("clock-skew", .warning)
}

extension Rule {
    static let clockSkew = Rule(
        .clockSkew, what: "With `--online`: the clocks of this machine and the provider differ by more than a minute.",
        why:
            "Tokens have a start and an end time. With a wrong clock, they appear expired or not yet valid, and sign-ins fail intermittently.",
        instead: "Synchronise this machine's clock with NTP.",
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
                    label: "tokens appear \(difference > 0 ? "expired" : "not yet valid")",
                    help: "synchronise this machine's clock")
            }
        })
}
