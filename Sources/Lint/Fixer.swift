package import Config
package import Diagnostics

/// Applies the fixes of findings (`gateway validate --fix`).
package enum Fixer {
    package struct Outcome: Sendable {
        package let before: Report.FileFindings
        /// The findings that remain in the fixed text.
        package let after: Report.FileFindings
        /// The number of fixes applied.
        package let count: Int

        package var bytes: [UInt8] { after.source.bytes }
        package var isChanged: Bool { before.source.bytes != after.source.bytes }
    }

    /// The maximum number of passes. One fix can reveal another: once a key is known, its value is read. Each pass
    /// applies the fixes that do not overlap.
    private static let mostPasses = 32

    /// Applies fixes until none remain. Stops at fixes that make the file worse, and keeps the text from before them.
    package static func fix(_ source: SourceFile, surroundings: Surroundings, includingUnsafe: Bool = false) -> Outcome {
        let before = Linter.check(source, surroundings: surroundings).findings
        var current = before
        var count = 0
        for _ in 0..<mostPasses {
            guard let next = current.applyingFixes(includingUnsafe: includingUnsafe), next.bytes != current.source.bytes else { break }
            let found = Linter.check(SourceFile(name: source.name, bytes: next.bytes), surroundings: surroundings).findings
            if isWorse(found, than: current) { break }
            current = found
            count += next.count
        }
        return Outcome(before: before, after: current, count: count)
    }

    /// Returns whether a fix made the file worse: invalid YAML outweighs any other finding. A fixed key may
    /// reveal errors of its value.
    private static func isWorse(_ new: Report.FileFindings, than old: Report.FileFindings) -> Bool {
        // A comma that broke the file hid whatever stands behind it.
        if old.diagnostics.map(\.rule) == [.trailingComma] { return false }
        func syntaxErrors(_ findings: Report.FileFindings) -> Int {
            findings.diagnostics.count { $0.rule == .yamlSyntax || $0.rule == .duplicateKey }
        }
        return syntaxErrors(new) > syntaxErrors(old)
    }
}
