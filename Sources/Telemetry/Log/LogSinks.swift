package import Config
import Glibc
import NIOConcurrencyHelpers
package import NIOCore

/// The destinations that lines go to, each with one writer, however many streams share it.
package final class LogSinks: Sendable {
    typealias Observer = @Sendable (LogDestination, SinkChange) -> Void

    private let standardError: LogWriter
    private let writers = NIOLockedValueBox<[LogDestination: LogWriter]>([:])
    private let observer = NIOLockedValueBox<Observer?>(nil)

    /// `standardError`: the log's own.
    package init(standardError: LogWriter) {
        self.standardError = standardError
        standardError.register(.events)
    }

    /// Opens a destination for a stream, or finds it open.
    func writer(for destination: LogDestination, stream: LogStream) throws(LogWriter.OpenFailure) -> LogWriter {
        let writer = try writer(for: destination)
        writer.register(stream)
        return writer
    }

    private func writer(for destination: LogDestination) throws(LogWriter.OpenFailure) -> LogWriter {
        if let known = self[destination] { return known }
        let made: LogWriter =
            switch destination {
            case .stdout, .stderr: LogWriter(descriptor: STDOUT_FILENO)
            case .file(let path): try LogWriter(path: path)
            }
        return writers.withLockedValue { writers in
            if let known = writers[destination] { return known }
            writers[destination] = made
            observe(made, destination)
            return made
        }
    }

    /// The writer of a destination that has been opened.
    subscript(destination: LogDestination) -> LogWriter? {
        destination == .stderr ? standardError : writers.withLockedValue { $0[destination] }
    }

    func isTerminal(_ destination: LogDestination) -> Bool {
        switch destination {
        case .stdout: isatty(STDOUT_FILENO) == 1
        case .stderr: isatty(STDERR_FILENO) == 1
        case .file: false
        }
    }

    package func reopen() { for writer in writers.withLockedValue({ $0.values }) { writer.reopen() } }

    /// Every destination by name, standard error first.
    var all: [(destination: LogDestination, writer: LogWriter)] {
        [(.stderr, standardError)]
            + writers.withLockedValue { $0 }.map { ($0.key, $0.value) }.sorted { $0.0.description < $1.0.description }
    }

    // MARK: Failures

    /// Sets the observer of failing and recovering destinations.
    func observe(_ observer: @escaping Observer) {
        self.observer.withLockedValue { $0 = observer }
        for (destination, writer) in all { observe(writer, destination) }
    }

    private func observe(_ writer: LogWriter, _ destination: LogDestination) {
        guard let observer = observer.withLockedValue({ $0 }) else { return }
        writer.observe { observer(destination, $0) }
    }

    /// Looks after every destination about once a second, until the task ends.
    package func inspectRegularly() async {
        while !Task.isCancelled {
            for (_, writer) in all { writer.inspect() }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    // MARK: The end

    /// Waits for all destinations but the log's, at most until `deadline`, and for one that fails already a second; those whose lines
    /// were not written by then.
    package func flushStreams(until deadline: NIODeadline) -> [(destination: LogDestination, lines: Int)] {
        let soon = min(deadline, .now() + .seconds(1))
        let pending = all.filter { $0.destination != .stderr }.map { destination, writer in
            (destination, writer.beginFlush(), writer.isFailing ? soon : deadline)
        }
        return pending.map { ($0, $1.wait(until: $2)) }.filter { $0.1 > 0 }
    }

    package func flushLog(until deadline: NIODeadline) { _ = standardError.beginFlush().wait(until: deadline) }
}
