/// What `/readyz` says.
struct Readiness: Sendable {
    struct Check: Sendable {
        var name: String
        var isPassing: Bool
        /// Whether a failure makes the whole gateway unready.
        var isRequired: Bool
        /// What is wrong, in words without secrets; empty when it passes.
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
                ? "[+]\(check.name) ok\n"
                : "[-]\(check.name) failed: \(check.detail)\(check.isRequired ? "" : " (not required for readiness)")\n"
        }
        return text + (isReady ? "readyz check passed\n" : "readyz check failed\n")
    }
}
