import Config
import Diagnostics

extension RuleName {
    static let smallHeaderLimit = RuleName("small-header-limit", .warning)
}

extension Rule {
    static let smallHeaderLimit = Rule(
        .smallHeaderLimit, what: "The limit for request headers is smaller than what browsers send.",
        why:
            "The session cookie alone may take 4 KiB or more, and apps set their own cookies. The gateway would reject requests of signed-in users.",
        instead: "Remove the setting, or use at least `16KiB` and 50 headers.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, limits: { headerBytes: «4KiB» } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, limits: { headerBytes: 32KiB } }
            """),
        check: { context in
            guard let limits = context.server?["limits"]?.object else { return [] }
            var findings: [Diagnostic] = []
            if let item = limits["headerBytes"], case .bytes(let bytes) = item.scalar, bytes < 8 * 1024 {
                findings.append(
                    Diagnostic(
                        .smallHeaderLimit, at: item.referenceSpan, "browsers send more header bytes than this",
                        label: "too small for session cookies",
                        help: "use at least `16KiB`"))
            }
            if let item = limits["headerCount"], case .integer(let count) = item.scalar, count < 30 {
                findings.append(
                    Diagnostic(
                        .smallHeaderLimit, at: item.referenceSpan, "browsers and proxies send more headers than this", label: "too few",
                        help: "use at least `50`"))
            }
            return findings
        })
}
