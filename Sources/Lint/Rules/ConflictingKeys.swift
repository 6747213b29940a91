import Config
import Diagnostics

extension RuleName {
    static let conflictingKeys = RuleName("conflicting-keys")
}

extension Rule {
    static let conflictingKeys = Rule(
        .conflictingKeys, what: "A route has two keys that cannot be combined.",
        why:
            "A route does one of three things: forward, respond or redirect. It sets the upstream's path with either `stripPrefix` or `rewrite`.",
        instead: "Remove one of the keys, or make two routes.",
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
                            .conflictingKeys, at: later, "`\(first)` and `\(second)` exclude each other", label: reason,
                            help: "remove one of the two", related: [RelatedPlace("the other key", at: earlier)])
                    }
                }
            }
        })

    private static let conflicts: [(key: String, with: [String], why: String)] = [
        ("stripPrefix", ["rewrite"], "both set the upstream's path"), ("respond", ["redirect"], "both answer the request"),
        ("respond", ofUpstreams, "no request reaches an upstream"), ("redirect", ofUpstreams, "no request reaches an upstream"),
    ]

    private static let ofUpstreams = [
        "upstream", "stripPrefix", "rewrite", "requestHeaders", "upgrades", "webSockets", "timeouts", "limits",
    ]
}
