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
            let all = context.providers.map { (id: $0.id, object: $0.object) } + context.ownProviders.map { (id: $0.id, object: $0.object) }
            return all.compactMap { id, object in
                guard let item = object["id"] else { return nil }
                guard let place = first[id] else {
                    first[id] = item.span
                    return nil
                }
                let name = ProviderIDCheck.another(id)
                let isOwn = Configuration.ownProviderIDs.contains(id)
                return Diagnostic(
                    .duplicateProvider, at: item.span, "the provider `\(id)` is configured twice", label: "second time here",
                    help: isOwn ? "remove one of the two" : name.map { "give it a different id, like `\($0)`" },
                    related: [RelatedPlace("first time here", at: place)])
            }
        })
}
