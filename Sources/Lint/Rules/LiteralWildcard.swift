import Config
import Diagnostics

extension Rule {
    static let literalWildcard = Rule(
        .literalWildcard, what: "A `*` stands where values are compared as they are.",
        why:
            "Only `emails` and paths know wildcards. Here it matches nothing but a group, user or value of that very name, so nobody passes.",
        instead: "List the values. For everyone who signed in write `access: authenticated`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { groups: [«"team-*"»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { groups: [team-red, team-blue] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                // Under `users` it is `invalid-user-id`.
                let items = (rule["groups"]?.list ?? []) + (rule["claims"]?.map ?? []).flatMap(\.item.oneOrMany)
                return items.compactMap { item -> Diagnostic? in
                    guard let text = item.text, text.hasSuffix("*") || text.hasPrefix("*") else { return nil }
                    return Diagnostic(
                        .literalWildcard, at: item.referenceSpan, "`*` is no wildcard here", label: "compared as it is",
                        help: text == "*" ? "for everyone who signed in write `access: authenticated`" : "list the values one by one")
                }
            }
        })
}
