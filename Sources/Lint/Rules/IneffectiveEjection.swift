import Config
import Diagnostics

extension Rule {
    static let ineffectiveEjection = Rule(
        .ineffectiveEjection, what: "An upstream with one target has `ejection`.",
        why: "A target is left out so that its requests go to another. The only one is always tried.",
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
                    .ineffectiveEjection, at: span, "there is one target, and it is always tried", label: "does nothing",
                    help: "remove `ejection`, or add a target")
            }
        })
}
