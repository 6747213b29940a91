import Config
import Diagnostics

extension RuleName {
    static let duplicateProvider = RuleName("duplicate-provider")
}

extension Rule {
    static let duplicateProvider = Rule(
        .duplicateProvider, what: "Two providers have the same id.",
        why: "The id is part of the redirect URI and of every session. It must identify one provider.",
        instead: "Give the second provider a different id, such as `github.com/partners` or `oidc.other`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
              - id: «oidc.acme»
                issuer: https://login.example.org
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
              - id: oidc.partners
                issuer: https://login.example.org
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            var first: [String: SourceSpan] = [:]
            return context.providers.compactMap { provider in
                guard let item = provider.object["id"] else { return nil }
                guard let place = first[provider.id] else {
                    first[provider.id] = item.span
                    return nil
                }
                let name = ProviderIDCheck.another(provider.id)
                return Diagnostic(
                    .duplicateProvider, at: item.span, "the provider `\(provider.id)` is configured twice", label: "second time here",
                    help: name.map { "give it a different id, like `\($0)`" }, related: [RelatedPlace("first time here", at: place)])
            }
        })
}
