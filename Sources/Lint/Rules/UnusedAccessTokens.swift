import Config
import Diagnostics

extension RuleName {
    static let unusedAccessTokens = RuleName("unused-access-tokens", .warning)
}

extension Rule {
    static let unusedAccessTokens = Rule(
        .unusedAccessTokens, what: "A provider has `accessTokens`, but no `bearer` section lists the provider.",
        why: "The gateway accepts tokens only where `bearer` allows it, so `accessTokens` has no effect on its own.",
        instead: "Add `bearer` at the top level or to a route, or remove the section.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                «accessTokens»: { audience: https://api.example.com }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                accessTokens: { audience: https://api.example.com }
            bearer: { providers: [oidc.acme] }
            """),
        check: { context in
            let named = BearerUse.all(context).filter { !$0.isExchange }.flatMap { $0.names.map(\.text) }
            return context.providers.compactMap { provider in
                guard let key = provider.object.keySpan("accessTokens"), !named.contains(provider.id) else { return nil }
                return Diagnostic(
                    .unusedAccessTokens, at: key, "no `bearer` section accepts tokens of `\(provider.id)`", label: "unused",
                    help: "add `bearer: { providers: [\(provider.id)] }` at the top level or to a route, or remove it")
            }
        })
}
