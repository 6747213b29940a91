import Config
import Diagnostics
import Lint
import Runtime
import TokenCrypto

/// A configuration file as `run` reads it, at the start and at every reload: checked by the linter, with every file it read recorded.
struct ConfigurationFile: Sendable {
    let location: ConfigurationPath

    /// The result of a reading, and the report to show on a terminal.
    struct Outcome {
        var result: Result<ConfigurationSource.Reading, ConfigurationSource.Refusal>
        var report: Report?
        /// Set when the file itself could not be read.
        var unreadable: UnreadableFile?
    }

    private var path: String { location.path }

    var source: ConfigurationSource {
        ConfigurationSource { read().result }
    }

    func read() -> Outcome {
        let recorder = ReadingRecorder()
        // Before the contents, so that a change in between is noticed.
        recorder.note(path)
        let file: SourceFile
        switch location.read() {
        case .success(let read): file = read
        case .failure(let failure):
            let text = "cannot read the configuration \(path): \(failure.reason)"
            return Outcome(result: .failure(.init(report: text, errors: [], files: recorder.files)), report: nil, unreadable: failure)
        }
        recorder.add(Array(file.bytes))
        let surroundings = recorder.recording(location.surroundings, relativeTo: Self.directory(of: path))
        switch ConfigLoader.load(file, surroundings: surroundings) {
        case .success(let loaded):
            // As they are opened: the loader has put the directory in front.
            let certificates = loaded.configuration.certificateFiles
            let reading = ConfigurationSource.Reading(
                configuration: loaded.configuration, files: location.isStandardInput ? [] : recorder.files, certificates: certificates,
                hash: Hexadecimal.text(SHA2.sha256(file.bytes)),
                fingerprint: recorder.fingerprint(without: certificates), warnings: Self.findings(loaded.report))
            return Outcome(result: .success(reading), report: loaded.report)
        case .failure(let refusal):
            let text = TextRenderer(color: false, columns: 100).render(refusal.report)
            let errors = Self.findings(refusal.report, of: .error)
            return Outcome(result: .failure(.init(report: text, errors: errors, files: recorder.files)), report: refusal.report)
        }
    }

    private static func directory(of path: String) -> String {
        guard path != "-", let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func findings(_ report: Report, of severity: Severity = .warning) -> [ConfigurationSource.Finding] {
        report.files.flatMap { file in
            file.diagnostics.filter { $0.severity == severity }.map { diagnostic in
                let start = file.source.range(of: diagnostic.span).start
                return ConfigurationSource.Finding(
                    rule: diagnostic.rule.rawValue, message: diagnostic.message, file: file.source.name, line: start.line,
                    column: start.column)
            }
        }
    }
}

enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
