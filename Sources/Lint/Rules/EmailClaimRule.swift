import Config
import Diagnostics
import YAML

extension RuleName {
    static let emailClaimRule = RuleName("email-claim-rule", .warning)
}

extension Rule {
    static let emailClaimRule = Rule(
        .emailClaimRule, what: "A `claims` rule compares the e-mail address.",
        why:
            "The gateway compares claims whether or not the provider has verified them. At a provider where users edit their own profile, any user can claim another user's address.",
        instead: "Use `emails`, which accepts verified addresses only.",
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
                        .emailClaimRule, at: entry.key.span, "this compares addresses that may be unverified", label: "use `emails`",
                        help: "write `emails: […]`, which accepts verified addresses only")
                }
            }
        })
}
