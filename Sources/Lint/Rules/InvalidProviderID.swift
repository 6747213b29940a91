import Config
import Diagnostics
import Providers

extension RuleName {
    static let invalidProviderID = RuleName("invalid-provider-id")
}

extension Rule {
    static let invalidProviderID = Rule(
        .invalidProviderID, what: "The slug of a provider id is malformed.",
        why:
            "The id becomes part of URLs and headers. A slug has at most 63 lower-case letters, digits and hyphens, and does not start with a hyphen.",
        instead: "Write an id like `oidc.acme` or `github.com/partners`.",
        bad: Example(
            """
            providers:
              - id: «oidc.Acme Corp»
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme-corp
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["id"] else { return nil }
                guard case .failure(.invalidSlug(let slug)) = ProviderIDCheck.read(provider.id) else { return nil }
                let better = ProviderIDCheck.slug(from: slug).map { provider.id.dropLast(slug.count) + $0 }
                return Diagnostic(
                    .invalidProviderID, at: item.referenceSpan,
                    slug.isEmpty ? "this provider id has no slug" : "the slug of this provider id is malformed",
                    label: "expected [a-z0-9][a-z0-9-]{0,62}", help: better.map { "write `\($0)`" } ?? "write an id like `oidc.acme`")
            }
        })
}
