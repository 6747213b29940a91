import Config
import Diagnostics

extension RuleName {
    static let literalWildcard = RuleName("literal-wildcard", .warning)
}

extension Rule {
    static let literalWildcard = Rule(
        .literalWildcard, what: "A `*` is used in a list that does not support wildcards.",
        why:
            "Only `emails` and paths support wildcards. In other lists, `*` matches only a group or value with that exact name, so usually no user passes.",
        instead: "List the values. To admit every signed-in user, write `access: authenticated`.",
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
                // Under `users` this is `invalid-user-id`.
                let items = (rule["groups"]?.list ?? []) + (rule["claims"]?.map ?? []).flatMap(\.item.oneOrMany)
                return items.compactMap { item -> Diagnostic? in
                    guard let text = item.text, text.hasSuffix("*") || text.hasPrefix("*") else { return nil }
                    return Diagnostic(
                        .literalWildcard, at: item.referenceSpan, "`*` is not a wildcard here", label: "compared literally",
                        help: text == "*" ? "write `access: authenticated` to admit every signed-in user" : "list the values one by one")
                }
            }
        })
}
