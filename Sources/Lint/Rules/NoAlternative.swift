import Config
import Diagnostics
import YAML

extension RuleName {
    static let noAlternative = RuleName("no-alternative", .warning)
}

extension Rule {
    static let noAlternative = Rule(
        .noAlternative, what: "`anyOf` is empty.",
        why: "At least one alternative must match. With none, no user passes.",
        instead: "Add alternatives, or remove `anyOf`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { anyOf: «[»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { anyOf: [{ groups: [finance] }, { emails: [audit@example.com] }] } }]
            """),
        check: { context in
            context.accessRules.compactMap { _, rule in
                guard let item = rule["anyOf"], item.list?.isEmpty == true, item.node.items?.isEmpty == true else { return nil }
                return Diagnostic(
                    .noAlternative, at: item.span, "`anyOf` has no alternatives", label: "no user passes",
                    help: "add an alternative, or remove `anyOf`")
            }
        })
}
