import HTTPWire
import NIOCore
import Testing

@testable import Decisions

@Suite("Request ids and traces")
struct RequestTraceTests {
    @Test(
        "an id is 32 lower-case hexadecimal digits, high half first",
        arguments: [
            (UInt64(0), UInt64(0), "00000000000000000000000000000000"),
            (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, "0123456789abcdeffedcba9876543210"),
            (.max, 1, "ffffffffffffffff0000000000000001"),
        ])
    func text(high: UInt64, low: UInt64, expected: String) {
        #expect(RequestID(high: high, low: low).text == expected)
    }

    @Test("ids do not repeat")
    func unique() {
        var generator = IDGenerator()
        var seen: Set<String> = []
        for _ in 0..<10_000 { seen.insert(generator.nextRequestID().text) }
        #expect(seen.count == 10_000)
    }

    @Test(
        "a traceparent that is not exactly version 00 is not continued (W3C Trace Context 3.2)",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", false),
            ("", false),
        ])
    func traceparent(value: String, isContinued: Bool) {
        let parsed = TraceParent.isValid(value.utf8.span.bytes)
        #expect(parsed == isContinued)
    }
}
