import Config
import Glibc
import NIOConcurrencyHelpers

/// The places that lines go to, each with one writer, however many streams share it.
final class LogSinks: Sendable {
    private let standardError: LogWriter
    private let writers = NIOLockedValueBox<[LogDestination: LogWriter]>([:])

    /// `standardError`: the log's own.
    init(standardError: LogWriter) { self.standardError = standardError }

    func writer(for destination: LogDestination) throws(LogWriter.OpenFailure) -> LogWriter {
        if destination == .stderr { return standardError }
        if let known = writers.withLockedValue({ $0[destination] }) { return known }
        let made: LogWriter =
            switch destination {
            case .stdout, .stderr: LogWriter(descriptor: STDOUT_FILENO)
            case .file(let path): try LogWriter(path: path)
            }
        return writers.withLockedValue { writers in
            if let known = writers[destination] { return known }
            writers[destination] = made
            return made
        }
    }

    func isTerminal(_ destination: LogDestination) -> Bool {
        switch destination {
        case .stdout: isatty(STDOUT_FILENO) == 1
        case .stderr: isatty(STDERR_FILENO) == 1
        case .file: false
        }
    }

    func reopen() { for writer in writers.withLockedValue({ $0.values }) { writer.reopen() } }

    func flush() {
        for writer in writers.withLockedValue({ $0.values }) { writer.flush() }
        standardError.flush()
    }

    /// Lines that were lost since the start, by place.
    var dropped: [(destination: String, lines: Int)] {
        [("stderr", standardError.droppedLines)]
            + writers.withLockedValue { $0 }.map { ($0.key.description, $0.value.droppedLines) }.sorted { $0.0 < $1.0 }
    }
}
