import Config
import Diagnostics
import Providers

extension RuleName {
    static let scopeSeparator = RuleName("scope-separator", .warning)
}

extension Rule {
    static let scopeSeparator = Rule(
        .scopeSeparator, what: "A scope contains a comma.",
        why: "Scopes are list items. A comma becomes part of the name, and no provider has such a scope.",
        instead: "Write each scope as a separate list item.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [«"mail.read,calendars.read"»]
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
                ["scopes", "preconfiguredScopes"].flatMap { provider.object[$0]?.list ?? [] }.compactMap { item -> Diagnostic? in
                    guard let text = item.text, text.contains(","), provider.preset?.knownScopes.contains(text) != true else { return nil }
                    let parts = text.split(separator: ",").map { "`\($0)`" }
                    return Diagnostic(
                        .scopeSeparator, at: item.referenceSpan, "a scope contains no comma", label: "\(parts.count) scopes in one item",
                        help: "write each scope as a separate list item")
                }
            }
        })
}
