/// The findings in the files of one run.
package struct Report: Sendable {
    /// The distinct findings of a file, in file order.
    package struct FileFindings: Sendable {
        package let source: SourceFile
        package let diagnostics: [Diagnostic]
        /// Ranges that no renderer may show: the values of secret keys.
        package let secrets: [SourceSpan]

        package init(source: SourceFile, diagnostics: [Diagnostic], secrets: [SourceSpan] = []) {
            self.source = source
            self.diagnostics = Self.ordered(diagnostics)
            self.secrets = secrets
        }

        /// Sorts by position, rule and message, so that a report is the same on every run.
        private static func ordered(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
            var seen = Set<Diagnostic>()
            return diagnostics.filter { seen.insert($0).inserted }.sorted { left, right in
                (left.span.start, left.span.end, left.rule.rawValue, left.message)
                    < (right.span.start, right.span.end, right.rule.rawValue, right.message)
            }
        }
    }

    package let files: [FileFindings]

    package init(files: [FileFindings]) { self.files = files }

    package var errorCount: Int { count(.error) }
    package var warningCount: Int { count(.warning) }
    /// True if there are no errors. Warnings do not make a configuration invalid, whatever the threshold of the exit status.
    package var isValid: Bool { errorCount == 0 }

    /// True if there are findings at or above the threshold: errors, and with `strict` also warnings.
    package func fails(strict: Bool) -> Bool { errorCount > 0 || (strict && warningCount > 0) }

    private func count(_ severity: Severity) -> Int {
        files.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
    }
}
