import Config
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// Reports destinations that stop taking lines, and their recovery, on other destinations: in the log, in the audit stream, and
/// where the log itself fails and there is no audit stream, wherever else lines go.
package final class SinkReports: Sendable {
    private let sinks: LogSinks
    private let observer: EventObserver
    private let log = NIOLockedValueBox<EventLog?>(nil)

    init(sinks: LogSinks, observer: EventObserver) {
        self.sinks = sinks
        self.observer = observer
    }

    /// The log of the configuration that is served.
    package func use(_ log: EventLog) {
        let isFirst = self.log.withLockedValue { known in
            defer { known = log.observed(by: nil) }
            return known == nil
        }
        if isFirst { sinks.observe { [weak self] in self?.report($1, of: $0) } }
    }

    private func report(_ change: SinkChange, of destination: LogDestination) {
        guard let log = log.withLockedValue({ $0 }) else { return }
        switch change {
        case .failed(let failure):
            let fields: [(String, EventLog.Value)] = [("to", .text(destination.description)), ("reason", .text(failure.reason))]
            let message = "cannot write to this log destination; its lines are lost until it recovers"
            // Not into the audit stream that fails: its probe says it there as soon as that is possible.
            let audit = observer.audit.flatMap { $0.writer === sinks[destination] ? nil : $0 }
            audit?.write(AuditRecord(.logFailed, level: .error, message: message, fields: fields, context: nil))
            let reporter = destination != .stderr ? log : audit == nil ? log.writing(to: otherWriter(than: destination)) : nil
            reporter?.write(.error, "log-write-failed", message, fields)
        case .notReopened(let reason):
            log.write(
                .error, "log-not-reopened", "cannot reopen a log file; lines continue in the file that was open",
                [("to", .text(destination.description)), ("reason", .text(reason))])
        case .recovered(let failure, let lost, let end):
            let streams = LogStream.allCases.filter { lost[$0] > 0 }.map { "\($0.rawValue): \(lost[$0])" }.joined(separator: ", ")
            let fields: [(String, EventLog.Value)] = [
                ("to", .text(destination.description)), ("reason", .text(failure.reason)), ("lines_lost", .number(lost.total)),
                ("streams", .text(streams)), ("seconds", .number(Int(clamping: (end - failure.since).nanoseconds / 1_000_000_000))),
            ]
            log.observed(by: observer).write(.notice, "log-write-recovered", "this log destination takes lines again", fields)
        }
    }

    private func otherWriter(than failed: LogDestination) -> LogWriter? {
        sinks.all.first { $0.destination != failed && !$0.writer.isFailing }?.writer
    }
}

extension EventLog {
    /// The same log, elsewhere, for programs to read; nil without a writer.
    fileprivate func writing(to writer: LogWriter?) -> EventLog? { writer.map { EventLog(level: level, format: .json, writer: $0) } }
}
