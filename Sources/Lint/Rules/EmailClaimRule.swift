import Config
import Diagnostics
import YAML

extension Rule {
    static let emailClaimRule = Rule(
        .emailClaimRule, what: "A `claims` rule compares the e-mail address.",
        why:
            "Claims are compared whether or not the provider has verified them. Where people write their own profile, anyone can pass as anyone.",
        instead: "Use `emails`: only verified addresses satisfy it.",
        bad: Example(
            """
            routes: [{ path: /**, access: { claims: { «email»: [alice@example.com] } } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { emails: [alice@example.com] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                (rule["claims"]?.map ?? []).filter { $0.name == "email" }.map { entry in
                    Diagnostic(
                        .emailClaimRule, at: entry.key.span, "this compares addresses that may not be verified", label: "use `emails`",
                        help: "write `emails: […]`: only verified addresses satisfy it")
                }
            }
        })
}
