package import Config
package import Process

/// The source of a gateway's configuration, read at the start and at each reload.
///
/// Reading is the command's business, which has the linter; the process asks for it at each reload.
package struct ConfigurationSource: Sendable {
    /// A configuration in which `validate` finds no error.
    package struct Reading: Sendable {
        package var configuration: Configuration
        /// Everything that was read for it: the file and what it refers to.
        package var files: [WatchedFile]
        /// Paths of `files` that `CertificateWatch` looks after: other certificates are no other configuration.
        package var certificates: [String]
        /// SHA-256 of the configuration file alone, in hexadecimal: names the version that is served.
        package var hash: String
        /// Changes when anything changes that was read, secrets included, certificates not. Not to be shown.
        package var fingerprint: [UInt8]
        package var warnings: [Finding]

        package init(
            configuration: Configuration, files: [WatchedFile], certificates: [String], hash: String, fingerprint: [UInt8],
            warnings: [Finding]
        ) {
            self.configuration = configuration
            self.files = files
            self.certificates = certificates
            self.hash = hash
            self.fingerprint = fingerprint
            self.warnings = warnings
        }

        /// The files to watch while this configuration is served.
        var watched: [WatchedFile] { files.filter { !certificates.contains($0.path) } }
    }

    /// One finding of the linter, for the log.
    package struct Finding: Sendable {
        package var rule: String
        package var message: String
        package var file: String
        package var line: Int
        package var column: Int

        package init(rule: String, message: String, file: String, line: Int, column: Int) {
            self.rule = rule
            self.message = message
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// The file cannot be read, or has errors.
    package struct Refusal: Error, Sendable {
        /// The output of `validate`, without colours.
        package var report: String
        package var errors: [Finding]
        /// The files that were read, to notice when they change.
        package var files: [WatchedFile]

        package init(report: String, errors: [Finding], files: [WatchedFile]) {
            self.report = report
            self.errors = errors
            self.files = files
        }
    }

    package var read: @Sendable () -> Result<Reading, Refusal>

    package init(read: @escaping @Sendable () -> Result<Reading, Refusal>) { self.read = read }
}
