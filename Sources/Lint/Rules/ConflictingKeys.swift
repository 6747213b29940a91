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
                pairs.compactMap { first, second, reason in
                    guard let firstSpan = route.object.keySpan(first), let secondSpan = route.object.keySpan(second) else { return nil }
                    let (earlier, later) = firstSpan.start < secondSpan.start ? (firstSpan, secondSpan) : (secondSpan, firstSpan)
                    return Diagnostic(
                        .conflictingKeys, at: later, "`\(first)` and `\(second)` cannot both hold", label: reason,
                        help: "remove one of the two", related: [RelatedPlace("the other one", at: earlier)])
                }
            }
        })

    private static let pairs: [(String, String, String)] = {
        var pairs = [
            ("stripPrefix", "rewrite", "both make the upstream's path"), ("respond", "redirect", "both are the answer"),
        ]
        for answer in ["respond", "redirect"] {
            for key in ["upstream", "stripPrefix", "rewrite", "requestHeaders", "upgrades", "webSockets", "timeouts", "limits"] {
                pairs.append((answer, key, "no upstream is asked"))
            }
        }
        return pairs
    }()
}
