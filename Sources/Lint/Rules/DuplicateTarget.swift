import Config
import Diagnostics

extension RuleName {
    static let duplicateTarget = RuleName("duplicate-target", .warning)
}

extension Rule {
    static let duplicateTarget = Rule(
        .duplicateTarget, what: "An upstream names the same target twice.",
        why: "The target receives twice its share of requests, and a retry may go to the same failing target again.",
        instead: "Remove one of the two, or write the address of another instance.",
        bad: Example(
            """
            upstream: [http://10.0.0.1:8080, «http://10.0.0.1:8080/»]
            """),
        good: Example(
            """
            upstream: [http://10.0.0.1:8080, http://10.0.0.2:8080]
            """),
        check: { context in
            context.upstreams.flatMap { upstream -> [Diagnostic] in
                var first: [ListenAddress: SourceSpan] = [:]
                return upstream.targets.compactMap { item, address in
                    guard let place = first[address.endpoint] else {
                        first[address.endpoint] = item.referenceSpan
                        return nil
                    }
                    return Diagnostic(
                        .duplicateTarget, at: item.referenceSpan, "this target is listed twice", label: "second time here",
                        help: "remove one of the two", related: [RelatedPlace("first time here", at: place)])
                }
            }
        })
}
