import Config
import Diagnostics
import YAML

extension Rule {
    static let emptyAccess = Rule(
        .emptyAccess, what: "An access rule, or one of its alternatives, has no condition.",
        why: "It holds for everyone who signed in. Beside others in `anyOf` it makes them meaningless.",
        instead: "Add the condition that was meant, or write `access: authenticated`.",
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
                    .emptyAccess, at: rule.node.span, "this rule has no condition: everyone who signed in passes", label: "admits everyone",
                    help: "add a condition, or write `access: authenticated` if that is meant")
            }
        })
}
