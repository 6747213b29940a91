import Config
import Diagnostics
import YAML

extension RuleName {
    static let overridableRestriction = RuleName("overridable-restriction", .warning)
}

extension Rule {
    static let overridableRestriction = Rule(
        .overridableRestriction, what: "`requestParameters` lets browsers override a parameter that restricts the sign-in.",
        why: "The browser's value replaces the configured one, so any user can bypass the restriction.",
        instead: "Remove the name from `requestParameters`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { acr_values: "urn:acme:mfa" }
                requestParameters: [login_hint, «acr_values»]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { acr_values: "urn:acme:mfa" }
                requestParameters: [login_hint]
            """),
        check: { context in
            let restricting: Set<String> = ["acr_values", "hd", "max_age", "organization", "connection", "tenant", "domain_hint", "claims"]
            return context.providers.flatMap { provider in
                (provider.object["requestParameters"]?.list ?? []).compactMap { item -> Diagnostic? in
                    guard let name = item.text, restricting.contains(name),
                        let entry = provider.object["customParameters"]?.map?.first(where: { $0.name == name })
                    else { return nil }
                    return Diagnostic(
                        .overridableRestriction, at: item.referenceSpan, "a browser can replace the configured `\(name)`",
                        label: "any user can bypass it",
                        help: "remove it from `requestParameters`", related: [RelatedPlace("configured here", at: entry.key.span)])
                }
            }
        })
}
