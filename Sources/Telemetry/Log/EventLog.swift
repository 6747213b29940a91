package import Config
import Glibc
package import Logging

/// The log: one event a line, as JSON or as text for a terminal.
///
/// Fields are named values; nothing that was secret is ever passed in. Values from outside are escaped, so no line can be
/// forged.
package struct EventLog: Sendable {
    package enum Format: Sendable { case json, text }

    /// A value of a field.
    package enum Value: Sendable {
        case text(String)
        case number(Int)
        case flag(Bool)
    }

    package let level: Logger.Level
    private let format: Format
    private let writer: LogWriter
    /// A person reads along: `format: auto` is text.
    private let isTerminal: Bool
    /// Hears events whatever level is logged.
    private(set) var observer: EventObserver?

    package init(level: Logger.Level, format: Format, writer: LogWriter) {
        self.level = level
        self.format = format
        self.writer = writer
        isTerminal = false
    }

    /// The log that a configuration asks for.
    package init(_ configuration: LoggingConfiguration, writer: LogWriter, isTerminal: Bool) {
        level = Logger.Level(rawValue: configuration.level.rawValue) ?? .info
        format =
            switch configuration.format {
            case .json: .json
            case .text: .text
            case .auto: isTerminal ? .text : .json
            }
        self.writer = writer
        self.isTerminal = isTerminal
    }

    /// The same log under another configuration.
    package func adopting(_ configuration: LoggingConfiguration) -> EventLog {
        EventLog(configuration, writer: writer, isTerminal: isTerminal).observed(by: observer)
    }

    package func observed(by observer: EventObserver?) -> EventLog {
        var log = self
        log.observer = observer
        return log
    }

    /// One JSON object a line.
    package var isForPrograms: Bool { format == .json }

    package func isOn(_ level: Logger.Level) -> Bool { level >= self.level }

    /// `event`: a stable name such as `request-refused`; `message`: a sentence for people.
    package func write(
        _ level: Logger.Level, _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, Value)] = []
    ) {
        let isObserved = observer?.observes(event) ?? false
        guard isOn(level) || isObserved else { return }
        let message = message()
        let fields = fields()
        if isObserved { observer?.receive(event, level, message, fields) }
        guard isOn(level) else { return }
        var line = LineBuffer()
        switch format {
        case .json: line.writeJSON(level, event, message, fields)
        case .text: line.writeText(level, event, message, fields)
        }
        writer.write(line.bytes, of: .events)
    }

    package func flush() { writer.flush() }

    /// A swift-log logger that writes here, for libraries and the back-channel.
    package func logger(label: String) -> Logger {
        var logger = Logger(label: label) { _ in EventLogHandler(log: self, label: label) }
        logger.logLevel = level
        return logger
    }
}

private struct EventLogHandler: LogHandler {
    let log: EventLog
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    init(log: EventLog, label: String) {
        self.log = log
        self.label = label
        logLevel = log.level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let more = event.metadata { fields.merge(more) { $1 } }
        log.write(
            event.level, label, "\(event.message)", fields.sorted { $0.key < $1.key }.map { ($0.key, .text("\($0.value)")) })
    }
}

private struct LineBuffer {
    var bytes: [UInt8] = []

    mutating func writeJSON(_ level: Logger.Level, _ event: String, _ message: String, _ fields: [(String, EventLog.Value)]) {
        bytes.reserveCapacity(256)
        write("{\"time\":\"\(Timestamp.now())\",\"level\":\"\(level.rawValue)\",\"event\":")
        writeQuoted(event)
        write(",\"message\":")
        writeQuoted(message)
        for (name, value) in fields {
            write(",")
            writeQuoted(name)
            write(":")
            switch value {
            case .text(let text): writeQuoted(text, limit: LogLimit.of(field: name))
            case .number(let number): write("\(number)")
            case .flag(let flag): write(flag ? "true" : "false")
            }
        }
        write("}")
    }

    mutating func writeText(_ level: Logger.Level, _ event: String, _ message: String, _ fields: [(String, EventLog.Value)]) {
        write("\(Timestamp.now()) \(level.rawValue) \(event): ")
        writeEscaped(message)
        for (name, value) in fields {
            write("  \(name)=")
            switch value {
            case .text(let text):
                if text.isEmpty || text.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }) {
                    writeQuoted(text, limit: LogLimit.of(field: name))
                } else {
                    writeEscaped(text, limit: LogLimit.of(field: name))
                }
            case .number(let number): write("\(number)")
            case .flag(let flag): write(flag ? "true" : "false")
            }
        }
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func writeQuoted(_ text: String, limit: Int = .max) {
        bytes.append(UInt8(ascii: "\""))
        writeEscaped(text, limit: limit)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaped(_ text: String, limit: Int = .max) { LogEscaping.append(text, to: &bytes, limit: limit) }
}

package enum Timestamp {
    /// RFC 3339 in UTC with milliseconds.
    static func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return text(time)
    }

    /// A time in Unix milliseconds as RFC 3339 in UTC with milliseconds.
    package static func rfc3339(milliseconds: Int64) -> String {
        let time = min(max(milliseconds, 0), 253_402_300_799_999)
        return text(timespec(tv_sec: Int(time / 1_000), tv_nsec: Int(time % 1_000) * 1_000_000))
    }

    private static func text(_ given: timespec) -> String {
        var time = given
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))T"
            + "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):\(padded(Int(parts.tm_sec), 2))."
            + "\(padded(time.tv_nsec / 1_000_000, 3))Z"
    }
}
