import Config
import Diagnostics

extension Rule {
    static let conflictingKeys = Rule(
        .conflictingKeys, what: "A route says two things of which only one can happen.",
        why: "A route forwards, answers by itself or redirects, and it makes the upstream's path in one way.",
        instead: "Keep the key that is meant, or make two routes.",
        bad: Example(
            """
            routes: [{ path: /api/**, stripPrefix: /api, «rewrite»: /v2/** }]
            """),
        good: Example(
            """
            routes: [{ path: /api/**, rewrite: /v2/** }]
            """),
        check: { context in
            context.routes.flatMap { route in
                conflicts.flatMap { first, others, reason -> [Diagnostic] in
                    guard let firstSpan = route.object.keySpan(first) else { return [] }
                    return others.compactMap { second in
                        guard let secondSpan = route.object.keySpan(second) else { return nil }
                        let (earlier, later) = firstSpan.start < secondSpan.start ? (firstSpan, secondSpan) : (secondSpan, firstSpan)
                        return Diagnostic(
                            .conflictingKeys, at: later, "`\(first)` and `\(second)` cannot both hold", label: reason,
                            help: "remove one of the two", related: [RelatedPlace("the other one", at: earlier)])
                    }
                }
            }
        })

    private static let conflicts: [(key: String, with: [String], why: String)] = [
        ("stripPrefix", ["rewrite"], "both make the upstream's path"), ("respond", ["redirect"], "both are the answer"),
        ("respond", ofUpstreams, "no upstream is asked"), ("redirect", ofUpstreams, "no upstream is asked"),
    ]

    private static let ofUpstreams = [
        "upstream", "stripPrefix", "rewrite", "requestHeaders", "upgrades", "webSockets", "timeouts", "limits",
    ]
}
