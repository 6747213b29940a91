import Config
import Diagnostics

extension Rule {
    static let unusedAccessTokens = Rule(
        .unusedAccessTokens, what: "A provider has `accessTokens`, and no `bearer` names the provider.",
        why: "Tokens are taken only where `bearer` says so; the section does nothing by itself.",
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
                    .unusedAccessTokens, at: key, "no `bearer` takes tokens of `\(provider.id)`", label: "unused",
                    help: "add `bearer: { providers: [\(provider.id)] }` where tokens are to be taken, or remove it")
            }
        })
}
