/// Where a stream of lines goes.
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

/// A line for each request.
package struct AccessLogConfiguration: Sendable {
    /// `auto` is the format of `logging.format`.
    package enum Format: String, Sendable, CaseIterable { case auto, json, text, combined, ecs }
    package enum Query: String, Sendable, CaseIterable { case redacted, full, none }
    package var isEnabled = true
    package var format = Format.auto
    package var to = LogDestination.stdout
    package var query = Query.redacted
    package init() {}
}

/// Who signed in, who was refused, what was changed.
package struct AuditConfiguration: Sendable {
    package enum Format: String, Sendable, CaseIterable { case json, ocsf }
    /// What becomes of requests while audit records cannot be written.
    package enum FailurePolicy: String, Sendable, CaseIterable {
        /// They are served; the records are lost and counted.
        case `continue`
        /// Sign-ins and protected routes are refused.
        case refuse
    }
    package var to = LogDestination.stdout
    package var format = Format.json
    package var onFailure = FailurePolicy.continue
    package init() {}
}
