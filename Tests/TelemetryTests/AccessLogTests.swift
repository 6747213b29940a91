import Primitives
import HTTPWire
import Logging
import Testing

@testable import Telemetry

@Suite("Lines of the access log")
struct LogLinesTests {
    private func written(_ write: (inout LineBytes) -> Void) -> String {
        var lines = LineBytes(capacity: 16)
        write(&lines)
        return String(decoding: lines.bytes)
    }

    @Test("numbers", arguments: [0, 7, 10, 99, 100, 12_345, -5, Int.max, Int.min])
    func numbers(number: Int) { #expect(written { $0.put(number: number) } == String(number)) }

    @Test(
        "nanoseconds are shown as milliseconds",
        arguments: [(0, "0.000"), (999, "0.000"), (1_234_567, "1.234"), (61_000_000_000, "61000.000"), (-3, "0.000")])
    func milliseconds(nanoseconds: Int, text: String) { #expect(written { $0.put(milliseconds: nanoseconds) } == text) }

    @Test("hexadecimal digits keep their zeros") func hexadecimal() {
        #expect(written { $0.put(hexadecimal: 0x0123_4567_89AB_CDEF) } == "0123456789abcdef")
        #expect(written { $0.put(hexadecimal: 0) } == "0000000000000000")
    }

    @Test(
        "what a client sent is escaped",
        arguments: [
            ("plain", "plain"), ("a\"b\\c", "a\\\"b\\\\c"), ("a\nb", "a\\nb"), ("\u{1B}[31m", "\\u001b[31m"), ("é", "é"),
            ("\u{85}", "\\u0085"),
        ])
    func escaping(text: String, expected: String) {
        #expect(written { lines in lines.put(escaped: text.utf8.span.bytes, limit: 100) } == expected)
    }

    @Test("bytes that are no UTF-8 become replacement characters")
    func invalid() {
        #expect(written { lines in lines.put(escaped: ([0xFF, 0x61] as [UInt8]).span.bytes, limit: 9) } == "\u{FFFD}a")
    }

    @Test(
        "issue 19.2: a value is cut between escapes, and the cut is marked",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcdef…"), ("ab\"\"\"", 6, "ab\\\"\\\"…"), ("abcdeé", 6, "abcde…"),
            ("\u{85}x", 6, "\\u0085…"),
        ])
    func limit(text: String, limit: Int, expected: String) {
        #expect(written { lines in lines.put(escaped: text.utf8.span.bytes, limit: limit) } == expected)
        #expect("abcdeé".shortened(to: 6) == "abcde…")
        #expect("abcdeé".shortened(to: 7) == "abcdeé")
    }

    @Test("issue 19.2: a redacted query is no longer than its limit, however many parts it has", arguments: ["a&", "a=b&", "é=&", "&"])
    func longQuery(part: String) {
        let query = String(repeating: part, count: 16_000)
        let text = written { lines in QueryRedaction.put(query.utf8.span.bytes, into: &lines) { _, _ in true } }
        #expect(text.utf8.count <= LogLimit.query + 30)
        #expect(text.hasSuffix("…"))
    }

    @Test(
        "a query's values are left out, and so is a part without a name",
        arguments: [
            ("a=1&b=2", "a=[redacted]&b=[redacted]"), ("token", "[redacted]"), ("a=", "a="), ("a=1=2", "a=[redacted]"),
            ("&&a=1", "&&a=[redacted]"),
            ("=x", "=[redacted]"), ("a=1&", "a=[redacted]&"),
        ])
    func redaction(query: String, expected: String) {
        #expect(written { lines in QueryRedaction.put(query.utf8.span.bytes, into: &lines) { _, _ in true } } == expected)
    }

    @Test(
        "names that tell a secret",
        arguments: [
            ("code", true), ("access_token", true), ("X-Amz-Signature", true), ("apiKey", true), ("PASSWORD", true), ("co%64e", true),
            ("page", false), ("q", false), ("lang", false),
        ])
    func secrets(name: String, isSecret: Bool) {
        #expect(SecretParameters.contains(name.utf8.span.bytes) == isSecret)
    }

    @Test(
        "an address in a value is a secret if its own query has such a name",
        arguments: [
            ("%2F_gateway%2Fverify-email%3Ftoken%3Dabc", true), ("/verify-email?token=abc", true),
            ("%2fa%3fx%3d1%26access_token%3d2", true),
            ("%2Flogin%3Frd%3D%252Fa%253Ftoken%253Db", true), ("%2Fauth%2Fcode", false), ("%2Fa%3Fpage%3D2", false), ("50%25", false),
            ("", false), ("token", false),
        ])
    func nestedSecrets(value: String, isSecret: Bool) {
        #expect(SecretParameters.areInside(value.utf8.span.bytes) == isSecret)
    }

    @Test("lines grow past their first room and keep what is there")
    func growth() {
        var lines = LineBytes(capacity: 4)
        for _ in 0..<100 { lines.put("0123456789") }
        #expect(lines.count == 1_000)
        #expect(String(decoding: lines.bytes) == String(repeating: "0123456789", count: 100))
    }
}

@Suite("Audit records")
struct AuditTests {
    @Test("every event of the stream has one name, and the log's names lead to them all")
    func names() { #expect(Set(AuditEvent.byEvent.values) == Set(AuditEvent.allCases)) }

    @Test("values from outside are escaped, and a report of many lines stays in the log")
    func json() {
        let record = AuditRecord(
            .reloadFailed, level: .error, message: "x", fields: [("reason", .text("a\n\"b\"")), ("report", .text("secret-looking"))],
            context: nil)
        let line = AuditLog.json(record, timestamp: "t").text
        #expect(line == #"{"time":"t","event":"config.reload_failed","outcome":"failure","message":"x","reason":"a\n\"b\""}"#)
    }
}
