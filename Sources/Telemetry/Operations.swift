package import Config
import NIOConcurrencyHelpers
package import NIOCore

/// The program's version, for the metrics, the audit stream and the traces.
package struct ProgramVersion: Sendable {
    package var version: String
    package init(_ version: String) { self.version = version }
}

/// The process's counters, log streams and traces. They outlive configurations.
package final class Operations: Sendable {
    package let version: String
    package let sinks: LogSinks
    package let counters = EventCounters()
    package let sessionStore = SessionStoreCounters()
    package let observer: EventObserver
    package let sinkReports: SinkReports
    /// nil: nothing is traced.
    package let tracer: Tracer?

    package init(version: String, sinks: LogSinks, tracing: TracingOptions?) {
        self.version = version
        self.sinks = sinks
        observer = EventObserver(counters: counters)
        sinkReports = SinkReports(sinks: sinks, observer: observer)
        tracer = tracing.map { Tracer($0, version: version) }
    }

    /// Opens the files that a configuration names. Throws for one that cannot be opened; nothing is changed then.
    package func open(_ configuration: Configuration) throws(LogWriter.OpenFailure) -> OpenedStreams {
        if configuration.logging.access.isEnabled { _ = try sinks.writer(for: configuration.logging.access.to, stream: .access) }
        guard let audit = configuration.audit else { return OpenedStreams(audit: nil) }
        return OpenedStreams(
            audit: AuditLog(writer: try sinks.writer(for: audit.to, stream: .audit), format: audit.format, version: version))
    }

    /// The destinations that a configuration has opened; `use` puts them into service.
    package struct OpenedStreams: Sendable { var audit: AuditLog? }

    package func use(_ streams: OpenedStreams) {
        observer.audit?.writer.setProbe(nil)
        streams.audit?.probeFailures()
        observer.setAudit(streams.audit)
    }

    /// Tells requests whether their audit records would be lost; nil unless the configuration refuses such requests.
    package func auditGate(_ configuration: Configuration) -> AuditGate? {
        guard let audit = configuration.audit, audit.onFailure == .refuse else { return nil }
        return sinks[audit.to].map(AuditGate.init)
    }

    /// The destinations that a configuration uses, for `/readyz`. Only one that requests depend on makes the gateway unready.
    package func checks(_ configuration: Configuration) -> [Readiness.Check] {
        let now = NIODeadline.now()
        return sinks.all.filter { configuration.logDestinations.contains($0.destination) }.map { destination, writer in
            let audit = configuration.audit.flatMap { $0.to == destination ? $0 : nil }
            let failure = writer.failure
            let lost = writer.lostLines.reduce(0) { $0 + $1.lines }
            return Readiness.Check(
                name: "\(audit == nil ? "log" : "audit") \(destination)", isPassing: failure == nil,
                isRequired: audit?.onFailure == .refuse && writer.isAuditFailing,
                detail: failure.map { "\($0.reason), for \((now - $0.since).nanoseconds / 1_000_000_000) s; \(lost) lines lost" } ?? "")
        }
    }

    /// The access log of one event loop; nil where none is wanted.
    package func accessLog(_ logging: LoggingConfiguration, on eventLoop: any EventLoop) -> AccessLog? {
        guard logging.access.isEnabled, let writer = try? sinks.writer(for: logging.access.to, stream: .access) else { return nil }
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

extension Configuration {
    /// The destinations of lines. An earlier configuration may have opened others.
    package var logDestinations: Set<LogDestination> {
        var destinations: Set<LogDestination> = [.stderr]
        if logging.access.isEnabled { destinations.insert(logging.access.to) }
        if let audit { destinations.insert(audit.to) }
        return destinations
    }
}

/// `audit.onFailure: refuse`: requests that need an audit record are refused while none can be written.
package struct AuditGate: Sendable {
    private let writer: LogWriter

    init(_ writer: LogWriter) { self.writer = writer }

    /// One relaxed load: asked for each request that needs a session.
    package var isClosed: Bool { writer.isAuditFailing }
}
