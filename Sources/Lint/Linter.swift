package import Config
package import Diagnostics

/// Checks configurations. `validate` prints the findings; `run` starts only without errors.
package enum Linter {
    /// The result for one file.
    package struct Outcome: Sendable {
        package let findings: Report.FileFindings
        /// Nil if the findings include an error.
        package let configuration: Configuration?

        package var report: Report { Report(files: [findings]) }
    }

    /// Reads and checks one file. The only way to a `Configuration`, for every command.
    ///
    /// - Parameter answers: the network results (`--online`); nil without it.
    package static func check(_ source: SourceFile, surroundings: Surroundings, answers: OnlineAnswers? = nil) -> Outcome {
        let reading = ConfigReader.read(source, surroundings: surroundings)
        var diagnostics = reading.diagnostics
        if let root = reading.document.root {
            let context = LintContext(document: reading.document, root: root, configuration: reading.draft, surroundings: surroundings)
            for rule in RuleRegistry.rules {
                if let check = rule.check { diagnostics += reading.document.withAnchors(check(context)) }
            }
            if let answers {
                let online = OnlineContext(context, answers)
                diagnostics += reading.document.withAnchors(RuleRegistry.rules.flatMap { $0.online?(online) ?? [] })
            }
        }
        if !reading.isBroken {
            let suppressions = Suppressions(in: source, outside: reading.document.multilineScalars, isOnline: answers != nil)
            diagnostics = suppressions.apply(to: diagnostics, in: source)
        }
        let findings = Report.FileFindings(source: source, diagnostics: diagnostics, secrets: reading.secrets)
        let isValid = reading.document.root != nil && !findings.diagnostics.contains { $0.severity == .error }
        return Outcome(findings: findings, configuration: isValid ? reading.draft : nil)
    }

    /// One report for several files. Relative paths start at each file's directory.
    package static func check(files: [(source: SourceFile, surroundings: Surroundings)]) -> Report {
        Report(files: files.map { check($0.source, surroundings: $0.surroundings).findings })
    }

    /// One report for several files, with the network results for each.
    package static func check(files: [(source: SourceFile, surroundings: Surroundings)], answers: [OnlineAnswers]) -> Report {
        Report(files: zip(files, answers).map { check($0.source, surroundings: $0.surroundings, answers: $1).findings })
    }
}
