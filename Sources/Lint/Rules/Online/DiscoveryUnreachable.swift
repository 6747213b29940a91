import Config
import Diagnostics
import Providers

extension RuleName {
    static let discoveryUnreachable = RuleName("discovery-unreachable", .warning)
}

extension Rule {
    static let discoveryUnreachable = Rule(
        .discoveryUnreachable, what: "With `--online`: a provider's discovery document cannot be fetched or is incomplete.",
        why: "Until it is available, no user can sign in with this provider. The gateway starts anyway and retries.",
        instead:
            "Open the address from the message in a browser on the same network. Common causes are a misspelt issuer, a firewall, or an unknown certificate authority.",
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
                    label: "users cannot sign in there", help: "the address is \(url)")
            }
        })
}
