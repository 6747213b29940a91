import Config
import Diagnostics

extension Rule {
    static let highBodyRate = Rule(
        .highBodyRate, what: "The least rate of request bodies is more than slow connections have.",
        why:
            "`bodyRate` keeps out who sends a byte now and then on purpose; a mobile phone at the edge of its network sends some KiB a second.",
        instead: "Stay below `1KiB`.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, limits: { bodyRate: «100KiB» } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, limits: { bodyRate: 256B } }
            """),
        check: { context in
            let limits = [context.server?["limits"]?.object] + context.routes.map { $0.object["limits"]?.object }
            return limits.compactMap { limits in
                guard let item = limits?["bodyRate"], case .bytes(let rate) = item.scalar, rate > 4096 else { return nil }
                return Diagnostic(
                    .highBodyRate, at: item.referenceSpan, "honest uploads on slow connections would be cut off", label: "bytes a second",
                    help: "use `64B` to `1KiB`")
            }
        })
}
