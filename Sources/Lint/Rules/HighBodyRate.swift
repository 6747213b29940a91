import Config
import Diagnostics

extension RuleName {
    static let highBodyRate = RuleName("high-body-rate", .warning)
}

extension Rule {
    static let highBodyRate = Rule(
        .highBodyRate, what: "`bodyRate` is higher than the speed of a slow connection.",
        why:
            "`bodyRate` protects against attackers who send a body very slowly. A high value also disconnects users on slow networks: a phone with poor reception may upload only a few KiB per second.",
        instead: "Use at most `1KiB`.",
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
                    .highBodyRate, at: item.referenceSpan, "this limit cuts off uploads on slow connections", label: "bytes per second",
                    help: "use `64B` to `1KiB`")
            }
        })
}
