package import Config
package import Diagnostics

/// Checks configurations. `validate` prints what it finds, and `run` starts only what it finds no error in.
package enum Linter {
    /// What became of one file.
    package struct Outcome: Sendable {
        package let findings: Report.FileFindings
        /// Nil exactly when there is an error among the findings.
        package let configuration: Configuration?

        package var report: Report { Report(files: [findings]) }
    }

    /// Reads and checks one file. The only way to a `Configuration`, for every command.
    ///
    /// - Parameter answers: what the network said (`--online`); nil when it was not asked.
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

    /// One report of several files, each with its own surroundings: relative paths start at the file.
    package static func check(files: [(source: SourceFile, surroundings: Surroundings)]) -> Report {
        Report(files: files.map { check($0.source, surroundings: $0.surroundings).findings })
    }

    /// The same with what the network said about each file.
    package static func check(files: [(source: SourceFile, surroundings: Surroundings)], answers: [OnlineAnswers]) -> Report {
        Report(files: zip(files, answers).map { check($0.source, surroundings: $0.surroundings, answers: $1).findings })
    }
}
