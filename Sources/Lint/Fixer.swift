package import Config
package import Diagnostics

/// Makes the fixes that findings propose (`gateway validate --fix`).
package enum Fixer {
    package struct Outcome: Sendable {
        package let before: Report.FileFindings
        /// The findings that are left, in the text that has the fixes.
        package let after: Report.FileFindings
        /// How many fixes were made.
        package let count: Int

        package var bytes: [UInt8] { after.source.bytes }
        package var isChanged: Bool { before.source.bytes != after.source.bytes }
    }

    /// One fix can bring another to light, as a key that is now known has a value that is now read. Each pass takes
    /// what does not overlap; no file needs more than a few.
    private static let mostPasses = 32

    /// Fixes until nothing that may be fixed is left. Fixes that do not make a file better end the work: what was there
    /// before them stays.
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

    /// A file that stopped being YAML is worse than any other finding; a fixed key may show errors of its value.
    private static func isWorse(_ new: Report.FileFindings, than old: Report.FileFindings) -> Bool {
        func syntaxErrors(_ findings: Report.FileFindings) -> Int {
            findings.diagnostics.count { $0.rule == .yamlSyntax || $0.rule == .duplicateKey }
        }
        return syntaxErrors(new) > syntaxErrors(old)
    }
}
