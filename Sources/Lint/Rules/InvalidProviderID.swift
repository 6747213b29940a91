import Config
import Diagnostics
import Providers

extension Rule {
    static let invalidProviderID = Rule(
        .invalidProviderID, what: "The slug of a provider id is malformed.",
        why: "The id becomes part of URLs and headers: small letters, digits and hyphens, at most 63, no hyphen first.",
        instead: "Write it like `oidc.acme` or `github.com/partners`.",
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
                    slug.isEmpty ? "this provider id lacks its slug" : "the slug of this provider id is malformed",
                    label: "expected [a-z0-9][a-z0-9-]{0,62}", help: better.map { "write `\($0)`" } ?? "write it like `oidc.acme`")
            }
        })
}
