import Config
import Diagnostics

extension RuleName {
    static let traceLogging = RuleName("trace-logging", .warning)
}

extension Rule {
    static let traceLogging = Rule(
        .traceLogging, what: "The log level is `trace`.",
        why: "The log grows with every request and contains more personal data than needed. `trace` is meant for debugging.",
        instead: "Use `info`.",
        bad: Example(
            """
            logging: { level: «trace» }
            """),
        good: Example(
            """
            logging: { level: info }
            """),
        check: { context in
            guard let item = context.root["logging"]?.object?["level"], item.text == "trace" else { return [] }
            return [
                Diagnostic(
                    .traceLogging, at: item.referenceSpan, "the gateway logs every step of every request", label: "for debugging only",
                    help: "write `info`")
            ]
        })
}
