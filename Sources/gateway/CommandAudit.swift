import ArgumentParser
import Config
import Glibc
import Logging
import NIOCore
import Telemetry

/// The audit records of a command that changes accounts. They go to the file that `audit.to` names; the streams `stdout` and `stderr` are
/// those of the process that serves, and not this one's.
struct CommandAudit {
    private let operations: Operations?
    private let log: EventLog

    /// With `audit.onFailure: refuse`, a file that cannot be opened ends the command before anything is changed.
    init(_ configuration: Configuration) throws {
        let writer = LogWriter(descriptor: STDERR_FILENO)
        // No event of this log is as severe: only its observer, the audit stream, gets them.
        let log = EventLog(level: .critical, format: .json, writer: writer)
        guard let audit = configuration.audit, case .file = audit.to else {
            operations = nil
            self.log = log
            return
        }
        var streams = configuration
        streams.logging.access.isEnabled = false
        let operations = Operations(version: Version.current, sinks: LogSinks(standardError: writer), tracing: nil)
        do throws(LogWriter.OpenFailure) {
            operations.use(try operations.open(streams))
        } catch {
            let message = "the audit file \(error.path) cannot be opened: \(error.reason)"
            if audit.onFailure == .refuse { throw Terminal.failure(message, help: "`audit.onFailure` is `refuse`; nothing was changed") }
            Terminal.say("gateway: \(message); the change is not recorded")
        }
        self.operations = operations
        self.log = log.observed(by: operations.observer)
    }

    func record(_ event: String, _ message: String, uid: String, provider: String? = nil) {
        guard operations != nil else { return }
        var fields: [(String, EventLog.Value)] = [("uid", .text(uid)), ("actor", .text("operator"))]
        if let provider { fields.append(("provider", .text(provider))) }
        log.write(.notice, event, message, fields)
    }

    /// Writes what is buffered.
    func close() {
        guard let operations else { return }
        for (destination, lines) in operations.sinks.flushStreams(until: .now() + .seconds(5)) where lines > 0 {
            Terminal.say("gateway: \(lines) records of the audit file \(destination) were lost")
        }
    }
}
