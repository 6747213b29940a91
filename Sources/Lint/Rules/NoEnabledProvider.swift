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
            let objects = (context.providers.map(\.object) + context.ownProviders.map(\.object)).sorted { $0.span.start < $1.span.start }
            guard !objects.isEmpty, !context.hasEnabledProvider, !context.hasUnreadableProvider,
                context.hasUnmatchedRequests || context.routes.contains(where: { if case .public = $0.access { false } else { true } })
            else { return [] }
            return objects.prefix(1).map { object in
                Diagnostic(
                    .noEnabledProvider, at: object["enabled"]?.referenceSpan ?? object["id"]?.span ?? object.span,
                    "no provider is enabled, so no user can sign in",
                    label: "disabled", help: "enable a provider, or make every route `public`")
            }
        })
}
