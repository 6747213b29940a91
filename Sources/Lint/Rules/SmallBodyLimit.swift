import Config
import Diagnostics

extension RuleName {
    static let smallBodyLimit = RuleName("small-body-limit", .warning)
}

extension Rule {
    static let smallBodyLimit = Rule(
        .smallBodyLimit, what: "The limit for request bodies is smaller than a typical form.",
        why: "The gateway would reject forms and API calls with 413.",
        instead: "Remove the setting, or use the app's own limit, such as `10MiB`.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, limits: { bodyBytes: «10B» } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, limits: { bodyBytes: 10MiB } }
            """),
        check: { context in
            let limits = [context.server?["limits"]?.object] + context.routes.map { $0.object["limits"]?.object }
            return limits.compactMap { limits in
                guard let item = limits?["bodyBytes"], case .bytes(let bytes) = item.scalar, bytes < 1024 else { return nil }
                return Diagnostic(
                    .smallBodyLimit, at: item.referenceSpan, "even a small form is larger than this", label: "rejects almost every body",
                    help: "use `10MiB` or the app's own limit")
            }
        })
}
