package import Config
package import Diagnostics

/// Loads a configuration for serving.
package enum ConfigLoader {
    package struct Loaded: Sendable {
        package let configuration: Configuration
        /// The warnings of the configuration.
        package let report: Report
    }

    /// The error for a configuration with findings of severity error; the report is the same as in `validate`.
    package struct Refusal: Error, Sendable {
        package let report: Report
    }

    package static func load(_ source: SourceFile, surroundings: Surroundings) -> Result<Loaded, Refusal> {
        let outcome = Linter.check(source, surroundings: surroundings)
        guard var configuration = outcome.configuration else { return .failure(Refusal(report: outcome.report)) }
        configuration.secretFile = { surroundings.textAgain($0) }
        if case .file(let path, _) = configuration.pages.logo, let contents = surroundings.fileAgain(path) {
            configuration.pages.logo = .file(path: path, contents: contents)
        }
        return .success(Loaded(configuration: configuration, report: outcome.report))
    }
}
