import Config
import Diagnostics

extension Rule {
    static let signInLoop = Rule(
        .signInLoop, what: "`maxAge` is shorter than a sign-in takes.",
        why: "By the time the browser is back from the provider the sign-in is too old again, and the next one begins.",
        instead: "Use a minute or more.",
        bad: Example(
            """
            routes: [{ path: /**, access: { groups: [staff], maxAge: «5s» } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { groups: [staff], maxAge: 5m } }]
            """),
        check: { context in
            context.accessRules.compactMap { _, rule in
                guard let item = rule["maxAge"], let limit = item.milliseconds, limit < 10_000 else { return nil }
                return Diagnostic(
                    .signInLoop, at: item.referenceSpan, "a sign-in is older than this when the browser is back",
                    label: "asks again and again",
                    help: "did you mean minutes?")
            }
        })
}
