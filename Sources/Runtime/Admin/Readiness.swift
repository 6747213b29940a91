/// The answer of `/readyz`.
struct Readiness: Sendable {
    struct Check: Sendable {
        var name: String
        var isPassing: Bool
        /// Whether a failure makes the whole gateway unready.
        var isRequired: Bool
        /// The cause of a failure, or a note about a check that passes. Holds no secrets.
        var detail: String
    }

    var checks: [Check]

    var isReady: Bool { checks.allSatisfy { $0.isPassing || !$0.isRequired } }

    /// One line a check in the form Kubernetes' components use, then the verdict.
    var verboseText: String {
        var text = ""
        for check in checks {
            text +=
                check.isPassing
                ? "[+]\(check.name) ok\(check.detail.isEmpty ? "" : "; " + check.detail)\n"
                : "[-]\(check.name) failed: \(check.detail)\(check.isRequired ? "" : " (not required for readiness)")\n"
        }
        return text + (isReady ? "readyz check passed\n" : "readyz check failed\n")
    }
}
