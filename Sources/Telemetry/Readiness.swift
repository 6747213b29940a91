/// The answer of `/readyz`.
package struct Readiness: Sendable {
    package struct Check: Sendable {
        package var name: String
        package var isPassing: Bool
        /// Whether a failure makes the whole gateway unready.
        package var isRequired: Bool
        /// The cause of a failure, or a note about a check that passes. Holds no secrets.
        package var detail: String

        package init(name: String, isPassing: Bool, isRequired: Bool, detail: String) {
            self.name = name
            self.isPassing = isPassing
            self.isRequired = isRequired
            self.detail = detail
        }
    }

    package var checks: [Check]

    package init(checks: [Check]) { self.checks = checks }

    package var isReady: Bool { checks.allSatisfy { $0.isPassing || !$0.isRequired } }

    /// One line, which names the checks that fail.
    package var text: String {
        guard !isReady else { return "ok\n" }
        let failing = checks.filter { !$0.isPassing && $0.isRequired }.map(\.name)
        return "not ready: \(failing.joined(separator: ", ")); see /readyz?verbose\n"
    }

    /// One line a check in the form Kubernetes' components use, then the verdict.
    package var verboseText: String {
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
