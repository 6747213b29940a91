import Config
import Diagnostics

extension RuleName {
    static let mixedUpstream = RuleName("mixed-upstream")
}

extension Rule {
    static let mixedUpstream = Rule(
        .mixedUpstream, what: "The targets of one upstream have different schemes.",
        why:
            "The gateway distributes requests over all targets. If some targets use `http` and others `https`, only some requests are encrypted, and the app may answer differently.",
        instead: "Give all targets of an upstream the same scheme.",
        bad: Example(
            """
            upstream: [https://10.0.0.1:8443, «http://10.0.0.2:8080»]
            """),
        good: Example(
            """
            upstream: [https://10.0.0.1:8443, https://10.0.0.2:8443]
            """),
        check: { context in
            context.upstreams.flatMap { upstream -> [Diagnostic] in
                guard let first = upstream.targets.first else { return [] }
                return upstream.targets.dropFirst().compactMap { item, address in
                    guard address.scheme != first.address.scheme else { return nil }
                    return Diagnostic(
                        .mixedUpstream, at: item.referenceSpan,
                        "this target is `\(address.scheme.rawValue)`, the first is `\(first.address.scheme.rawValue)`",
                        label: "different scheme", help: "give all targets of this upstream the same scheme",
                        related: [RelatedPlace("the first target", at: first.item.referenceSpan)])
                }
            }
        })
}
