import Config
import Diagnostics
import Lint
import TokenCrypto

/// Whatever the bytes of a configuration are, the linter says where it is wrong, makes a configuration exactly when nothing
/// is, shows no secret, writes reports that can be read, and fixes without harm.
enum ConfigurationTarget {
    static let surroundings = Surroundings(
        variable: { $0.hasPrefix("UNSET") ? nil : "value-of-the-variable-0123456789" },
        file: { path in
            path.hasSuffix(".key")
                ? .contents(Array("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=\n".utf8), FileFacts(permissions: 0o600))
                : .unreadable(reason: "no such file")
        })

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let source = SourceFile(name: "gateway.yaml", bytes: bytes)
        let outcome = Linter.check(source, surroundings: surroundings)
        try hold((outcome.configuration == nil) == (outcome.report.errorCount > 0), "valid and invalid at once")
        try checkPlaces(outcome.findings)
        try checkReports(outcome, source)
        try checkFixes(source, outcome)
    }

    private static func checkPlaces(_ findings: Report.FileFindings) throws(Broken) {
        let count = findings.source.bytes.count
        var last = 0
        for finding in findings.diagnostics {
            for span in [finding.span] + finding.related.map(\.span) + (finding.fix?.edits.map(\.span) ?? []) {
                try hold(
                    span.start >= 0 && span.start <= span.end && span.end <= count, "a place lies outside of the file: \(finding.rule)")
            }
            try hold(finding.span.start >= last, "findings are out of order: \(finding.rule)")
            last = finding.span.start
        }
    }

    private static func checkReports(_ outcome: Linter.Outcome, _ source: SourceFile) throws(Broken) {
        let text = TextRenderer().render(outcome.report)
        let json = JSONRenderer().render(outcome.report)
        let sarif = SARIFRenderer(version: "0", rules: RuleRegistry.rules.map { ($0.name, $0.what) }).render(outcome.report)
        let github = GitHubRenderer().render(outcome.report)
        let isOurs = source.text(of: 0..<source.bytes.count).contains("value-of-the-variable")
        for report in [text, json, sarif, github] {
            try hold(isOurs || !report.contains("value-of-the-variable"), "a report shows a secret")
        }
        // A report goes to a terminal: nothing of the file may steer it.
        try hold(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }, "a report holds a control character")
        try hold(github.split(separator: "\n").count <= outcome.findings.diagnostics.count + 1, "an annotation is broken into lines")
        let limits = JSONValue.Limits(bytes: 64 << 20, depth: 32)
        guard let read = try? JSONValue(parsing: Array(json.utf8), limits: limits) else { throw Broken("the JSON report is no JSON") }
        try hold(read["diagnostics"]?.array?.count == outcome.findings.diagnostics.count, "the JSON report lacks findings")
        try hold((try? JSONValue(parsing: Array(sarif.utf8), limits: limits)) != nil, "the SARIF report is no JSON")
    }

    private static func checkFixes(_ source: SourceFile, _ outcome: Linter.Outcome) throws(Broken) {
        for unsafe in [false, true] where outcome.findings.fixableCount(includingUnsafe: unsafe) > 0 {
            let fixed = Fixer.fix(source, surroundings: surroundings, includingUnsafe: unsafe)
            let isValid = fixed.after.diagnostics.allSatisfy { $0.severity != .error }
            try hold(unsafe || isValid || outcome.configuration == nil, "a safe fix broke a file that was right")
            let again = Fixer.fix(SourceFile(name: source.name, bytes: fixed.bytes), surroundings: surroundings, includingUnsafe: unsafe)
            try hold(again.bytes == fixed.bytes, "fixing again changes the file")
            let difference = UnifiedDiff.text(from: fixed.before, to: fixed.after)
            try hold(difference.isEmpty == !fixed.isChanged, "the difference is not what was changed")
        }
    }
}
