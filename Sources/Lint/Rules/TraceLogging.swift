import Config
import Diagnostics

extension Rule {
    static let traceLogging = Rule(
        .traceLogging, what: "The log level is `trace`.",
        why: "It is for looking for a fault for a while: the log grows with every request and tells more about people than anyone needs.",
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
                    .traceLogging, at: item.referenceSpan, "every step of every request is logged", label: "for a while only",
                    help: "write `info`")
            ]
        })
}
