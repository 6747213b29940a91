package import Config
package import Diagnostics

/// Loads a configuration to serve.
package enum ConfigLoader {
    package struct Loaded: Sendable {
        package let configuration: Configuration
        /// Warnings only.
        package let report: Report
    }

    /// The configuration has errors; the report is the one that `validate` prints.
    package struct Refusal: Error, Sendable {
        package let report: Report
    }

    package static func load(_ source: SourceFile, surroundings: Surroundings) -> Result<Loaded, Refusal> {
        let outcome = Linter.check(source, surroundings: surroundings)
        guard var configuration = outcome.configuration else { return .failure(Refusal(report: outcome.report)) }
        configuration.secretFile = { surroundings.textAgain($0) }
        return .success(Loaded(configuration: configuration, report: outcome.report))
    }
}
