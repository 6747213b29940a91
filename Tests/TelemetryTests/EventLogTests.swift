import Glibc
import Logging
import Testing
import TokenCrypto

@testable import Telemetry

/// A pipe whose reading end a test drains.
private struct LogPipe {
    let reading: CInt
    let writing: CInt

    init() {
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        reading = ends[0]
        writing = ends[1]
    }

    func text() -> String {
        close(writing)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(reading, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        close(reading)
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("The log")
struct EventLogTests {
    private func line(_ format: EventLog.Format, _ value: String) -> String {
        let pipe = LogPipe()
        let log = EventLog(level: .info, format: format, writer: LogWriter(descriptor: pipe.writing))
        log.write(.info, "event", "message", [("field", .text(value)), ("count", .number(3)), ("flag", .flag(true))])
        log.flush()
        return pipe.text()
    }

    @Test(
        "JSON is one object a line, whatever a value holds",
        arguments: [
            "plain", "a\"b\\c", "line\nbreak\r\n", "\u{0}\u{1B}[31m\u{7F}\u{9B}", "\u{2028}\u{2029}", "ü 周 😀", "{\"forged\":true}",
        ])
    func json(value: String) throws {
        let text = line(.json, value)
        #expect(text.hasSuffix("\n"))
        #expect(text.split(separator: "\n").count == 1)
        let parsed = try JSONValue(parsing: String(text.dropLast()))
        #expect(parsed["field"]?.string == value)
        #expect(parsed["count"]?.integer == 3)
        #expect(parsed["flag"]?.bool == true)
        #expect(parsed["level"]?.string == "info")
        #expect(parsed["event"]?.string == "event")
    }

    @Test("text for a terminal is one line without control characters", arguments: ["\n2026-01-01 forged", "\u{1B}[2J", "a b=\"c\""])
    func text(value: String) {
        let text = line(.text, value)
        #expect(text.split(separator: "\n").count == 1)
        #expect(!text.unicodeScalars.dropLast().contains { $0.value < 0x20 || $0.value == 0x7F })
    }

    @Test("issue 19.2: a value of an event is bounded, the report of a configuration is not", arguments: [EventLog.Format.json, .text])
    func limits(format: EventLog.Format) {
        let value = line(format, String(repeating: "\u{1B}", count: 100_000))
        #expect((LogLimit.field..<LogLimit.field + 300).contains(value.utf8.count))
        #expect(value.contains("…"))
        let pipe = LogPipe()
        let log = EventLog(level: .info, format: format, writer: LogWriter(descriptor: pipe.writing))
        log.write(.info, "event", "message", [("report", .text(String(repeating: "x", count: 10_000)))])
        log.flush()
        #expect(pipe.text().utf8.count > 10_000)
    }

    @Test("what is below the level is not rendered")
    func level() {
        let log = EventLog(level: .warning, format: .json, writer: LogWriter(descriptor: -1))
        log.write(
            .info, "event",
            {
                Issue.record("rendered"); return ""
            }())
    }
}
