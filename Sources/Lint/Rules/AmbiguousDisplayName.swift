import Config
import Diagnostics

extension RuleName {
    static let ambiguousDisplayName = RuleName("ambiguous-display-name", .warning)
}

extension Rule {
    static let ambiguousDisplayName = Rule(
        .ambiguousDisplayName, what: "Two providers have the same name on the sign-in page.",
        why: "Users cannot tell the two buttons apart. A user who picks the wrong one is signed in as a different user.",
        instead: "Give each provider a different `displayName`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                displayName: Acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_SECRET}
              - id: oidc.partners
                displayName: «Acme»
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                displayName: Acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_SECRET}
              - id: oidc.partners
                displayName: Acme partners
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        check: { context in
            var first: [String: Item] = [:]
            let objects =
                context.providers.filter(\.configuration.enabled).map(\.object) + context.ownProviders.filter(\.isEnabled).map(\.object)
            return objects.sorted { $0.span.start < $1.span.start }.compactMap { object in
                guard let item = object["displayName"], let name = item.text else { return nil }
                let folded = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
                guard let other = first[folded] else {
                    first[folded] = item
                    return nil
                }
                return Diagnostic(
                    .ambiguousDisplayName, at: item.referenceSpan, "another provider has the same name on the sign-in page",
                    label: "same name",
                    help: "give each provider a different `displayName`",
                    related: [RelatedPlace("the other provider", at: other.referenceSpan)])
            }
        })
}
