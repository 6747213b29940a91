import Config
import Diagnostics

extension RuleName {
    static let ineffectiveEjection = RuleName("ineffective-ejection", .warning)
}

extension Rule {
    static let ineffectiveEjection = Rule(
        .ineffectiveEjection, what: "An upstream with a single target has `ejection`.",
        why: "Ejection moves requests from a failing target to the other targets. The gateway never ejects a single target.",
        instead: "Remove `ejection`, or add a target.",
        bad: Example(
            """
            upstream: { targets: http://10.0.0.1:8080, «ejection»: { failures: 3 } }
            """),
        good: Example(
            """
            upstream: { targets: [http://10.0.0.1:8080, http://10.0.0.2:8080], ejection: { failures: 3 } }
            """),
        check: { context in
            context.upstreams.compactMap { upstream in
                guard !upstream.isIncomplete, upstream.targets.count == 1, let span = upstream.object?.keySpan("ejection") else {
                    return nil
                }
                return Diagnostic(
                    .ineffectiveEjection, at: span, "this upstream has a single target, which is never ejected", label: "has no effect",
                    help: "remove `ejection`, or add a target")
            }
        })
}
