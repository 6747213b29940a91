import Config
import Diagnostics
import Providers

extension Rule {
    static let discoveryUnreachable = Rule(
        .discoveryUnreachable, what: "With `--online`: a provider's discovery document cannot be fetched, or lacks what a sign-in needs.",
        why: "Without it nobody can sign in there. The gateway starts all the same and goes on trying.",
        instead:
            "Open the address that the message shows in a browser on the same network. Mostly the issuer is misspelt, or a firewall or an unknown certificate authority is in the way.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.status = 404 },
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
                guard let url = provider.settings.discoveryURL, let fetch = provider.answers.discovery,
                    let problem = OnlineMetadata.problem(of: fetch)
                else { return nil }
                return Diagnostic(
                    .discoveryUnreachable, at: provider.addressSpan,
                    "the discovery document of `\(provider.id)` cannot be used: \(problem)",
                    label: "nobody could sign in now", help: "the address is \(url)")
            }
        })
}
