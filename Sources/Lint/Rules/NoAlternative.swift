import Config
import Diagnostics
import YAML

extension Rule {
    static let noAlternative = Rule(
        .noAlternative, what: "The list of alternatives of a rule is empty.",
        why: "One of them must hold, and there is none: nobody passes.",
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
                    .noAlternative, at: item.span, "one of no alternatives must hold", label: "nobody passes",
                    help: "add one, or remove `anyOf`")
            }
        })
}
