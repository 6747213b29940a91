import Backchannel
import Config
import NIOConcurrencyHelpers
import NIOCore

/// The program's version, for the metrics, the audit stream and the traces.
package struct ProgramVersion: Sendable {
    package var version: String
    package init(_ version: String) { self.version = version }
}

/// What the operator looks through, for as long as the process runs: counters, streams of lines, traces.
final class Operations: Sendable {
    let version: String
    let sinks: LogSinks
    let counters = EventCounters()
    let observer: EventObserver
    /// nil: nothing is traced.
    let tracer: Tracer?

    init(version: String, sinks: LogSinks, tracing: TracingOptions?) {
        self.version = version
        self.sinks = sinks
        observer = EventObserver(counters: counters)
        tracer = tracing.map { Tracer($0, version: version) }
    }

    /// Opens the files that a configuration names. Throws for one that cannot be opened; nothing is changed then.
    func open(_ configuration: Configuration) throws(LogWriter.OpenFailure) -> OpenedStreams {
        if configuration.logging.access.isEnabled { _ = try sinks.writer(for: configuration.logging.access.to) }
        guard let audit = configuration.audit else { return OpenedStreams(audit: nil) }
        return OpenedStreams(audit: AuditLog(writer: try sinks.writer(for: audit.to), format: audit.format, version: version))
    }

    /// What a configuration has opened and `use` puts into service.
    struct OpenedStreams: Sendable { var audit: AuditLog? }

    func use(_ streams: OpenedStreams) { observer.setAudit(streams.audit) }

    /// The access log of one event loop; nil where none is wanted.
    func accessLog(_ logging: LoggingConfiguration, on eventLoop: any EventLoop) -> AccessLog? {
        guard logging.access.isEnabled, let writer = try? sinks.writer(for: logging.access.to) else { return nil }
        var format = logging.access.format
        if format == .auto {
            switch logging.format {
            case .json: format = .json
            case .text: format = .text
            case .auto: format = sinks.isTerminal(logging.access.to) ? .text : .json
            }
        }
        return AccessLog(writer: writer, format: format, query: logging.access.query, eventLoop: eventLoop)
    }
}
