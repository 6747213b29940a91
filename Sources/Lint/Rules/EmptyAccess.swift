import Config
import Diagnostics
import YAML

extension RuleName {
    static let emptyAccess = RuleName("empty-access", .warning)
}

extension Rule {
    static let emptyAccess = Rule(
        .emptyAccess, what: "An access rule, or one of its alternatives, has no condition.",
        why: "The rule admits every signed-in user. An empty alternative in `anyOf` makes the other alternatives pointless.",
        instead: "Add a condition. To admit every signed-in user, write `access: authenticated`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { anyOf: [{ groups: [admins] }, «{»}] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { anyOf: [{ groups: [admins] }, { emails: ["*@example.com"] }] } }]
            """),
        check: { context in
            context.accessRules.compactMap { _, rule in
                guard rule.members.isEmpty, !rule.isIncomplete, rule.refusedKeys.isEmpty, rule.node.mapping?.entries.isEmpty == true else {
                    return nil
                }
                return Diagnostic(
                    .emptyAccess, at: rule.node.span, "this rule has no condition, so it admits every signed-in user",
                    label: "admits everyone",
                    help: "add a condition, or write `access: authenticated` to admit every signed-in user")
            }
        })
}
