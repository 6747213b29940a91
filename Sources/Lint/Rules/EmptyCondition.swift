import Config
import Diagnostics
import YAML

extension RuleName {
    static let emptyCondition = RuleName("empty-condition", .warning)
}

extension Rule {
    static let emptyCondition = Rule(
        .emptyCondition, what: "A condition of an access rule is an empty list.",
        why: "A user must match at least one entry of the list. No user matches an empty list, so the rule rejects every user.",
        instead: "Add entries to the list, or remove the condition.",
        bad: Example(
            """
            routes: [{ path: /**, access: { users: «[»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                let lists = ["emails", "groups", "users", "providers", "acr", "networks"].compactMap { key in
                    rule[key].map { (key: key, item: $0) }
                }
                let claims = (rule["claims"]?.map ?? []).map { (key: $0.name, item: $0.item) }
                return (lists + claims).compactMap { key, item -> Diagnostic? in
                    // Items with findings of their own leave a list that only looks empty.
                    guard item.list?.isEmpty == true, item.node.items?.isEmpty == true else { return nil }
                    return Diagnostic(
                        .emptyCondition, at: item.span, "`\(key)` is empty: no user passes this rule", label: "no user passes",
                        help: "add the entries that may pass, or remove `\(key)`")
                }
            }
        })
}
