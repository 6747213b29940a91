/// The destination of a stream of lines.
package enum LogDestination: Sendable, Hashable, CustomStringConvertible {
    case stdout
    case stderr
    /// An absolute path.
    case file(String)

    package init(_ text: String) {
        switch text {
        case "stdout": self = .stdout
        case "stderr": self = .stderr
        default: self = .file(text)
        }
    }

    package var description: String {
        switch self {
        case .stdout: "stdout"
        case .stderr: "stderr"
        case .file(let path): path
        }
    }
}

/// The access log: one line per request.
package struct AccessLogConfiguration: Sendable {
    /// The format; `auto` uses `logging.format`.
    package enum Format: String, Sendable, CaseIterable { case auto, json, text, combined, ecs }
    package enum Query: String, Sendable, CaseIterable { case redacted, full, none }
    package var isEnabled = true
    package var format = Format.auto
    package var to = LogDestination.stdout
    package var query = Query.redacted
    package init() {}
}

/// The audit stream: sign-ins, refusals and changes.
package struct AuditConfiguration: Sendable {
    package enum Format: String, Sendable, CaseIterable { case json, ocsf }
    /// The handling of requests while audit records cannot be written.
    package enum FailurePolicy: String, Sendable, CaseIterable {
        /// Serves them; the records are lost and counted.
        case `continue`
        /// Refuses sign-ins and protected routes.
        case refuse
    }
    package var to = LogDestination.stdout
    package var format = Format.json
    package var onFailure = FailurePolicy.continue
    package init() {}
}
