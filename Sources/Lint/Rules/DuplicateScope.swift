import Config
import Diagnostics

extension RuleName {
    static let duplicateScope = RuleName("duplicate-scope", .warning)
}

extension Rule {
    static let duplicateScope = Rule(
        .duplicateScope, what: "A list contains the same scope twice.",
        why: "The gateway requests the scope once. Often, one of the two should be a different scope.",
        instead: "Remove one of the two.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [mail.read, «mail.read»]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [mail.read, calendars.read]
            """),
        check: { context in
            context.providers.flatMap { provider in
                ["scopes", "preconfiguredScopes"].flatMap { duplicates(in: provider.object[$0]?.list ?? []) }
            }
        })

    private static func duplicates(in items: [Item]) -> [Diagnostic] {
        var first: [String: SourceSpan] = [:]
        return items.compactMap { item in
            guard let scope = item.text else { return nil }
            guard let place = first[scope] else {
                first[scope] = item.span
                return nil
            }
            return Diagnostic(
                .duplicateScope, at: item.span, "this scope is listed twice", label: "second time here", help: "remove one of the two",
                related: [RelatedPlace("first time here", at: place)])
        }
    }
}
