import Config
import Diagnostics

extension RuleName {
    static let noEnabledProvider = RuleName("no-enabled-provider", .warning)
}

extension Rule {
    static let noEnabledProvider = Rule(
        .noEnabledProvider, what: "Every provider is disabled, but some routes require sign-in.",
        why: "No user can sign in, so only public routes work.",
        instead: "Enable a provider, or make the routes public.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                enabled: «false»
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                enabled: true
            """),
        check: { context in
            guard !context.providers.isEmpty, context.providers.allSatisfy({ !$0.configuration.enabled }),
                context.root["providers"]?.list?.contains(where: \.isUnreadable) != true,
                context.hasUnmatchedRequests || context.routes.contains(where: { if case .public = $0.access { false } else { true } })
            else { return [] }
            return context.providers.prefix(1).map { provider in
                Diagnostic(
                    .noEnabledProvider, at: provider.object["enabled"]?.referenceSpan ?? provider.idSpan,
                    "no provider is enabled, so no user can sign in",
                    label: "disabled", help: "enable a provider, or make every route `public`")
            }
        })
}
