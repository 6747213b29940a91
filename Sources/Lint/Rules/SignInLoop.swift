import Config
import Diagnostics

extension RuleName {
    static let signInLoop = RuleName("sign-in-loop", .warning)
}

extension Rule {
    static let signInLoop = Rule(
        .signInLoop, what: "`maxAge` is shorter than a sign-in takes.",
        why: "When the browser returns from the provider, the sign-in is already too old, and the gateway starts another one.",
        instead: "Set `maxAge` to at least one minute.",
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
                    .signInLoop, at: item.referenceSpan, "the sign-in is already older than this when the browser returns",
                    label: "endless sign-in",
                    help: "use at least one minute, like `5m`")
            }
        })
}
