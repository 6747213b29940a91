import HTTPWire
import Primitives

/// A 128-bit id of a request: its request id and, for a trace that starts here, its trace id.
package struct RequestID: Sendable {
    package var high: UInt64 = 0
    package var low: UInt64 = 0
    /// The id that a trusted proxy gave the request: letters, digits, `-`, `_` and `.`.
    package var given: [UInt8]?

    package init(high: UInt64 = 0, low: UInt64 = 0) {
        self.high = high
        self.low = low
    }

    /// The given id, else 32 lower-case hexadecimal digits.
    package var text: String {
        if let given { return String(decoding: given, as: UTF8.self) }
        var lines = LineBytes(capacity: 32)
        lines.put(hexadecimal: high)
        lines.put(hexadecimal: low)
        return String(decoding: lines.bytes)
    }
}

/// Makes ids for requests and spans: unique, not secret. Seeded from the system's random source (xoshiro256++).
package struct IDGenerator {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init() {
        var system = SystemRandomNumberGenerator()
        state = (system.next(), system.next(), system.next(), system.next() | 1)
    }

    package mutating func next() -> UInt64 {
        func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { (value << count) | (value >> (64 - count)) }
        let result = rotated(state.0 &+ state.3, 23) &+ state.0
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, 45)
        return result
    }

    package mutating func nextRequestID() -> RequestID { RequestID(high: next() | 1, low: next() | 1) }
}

/// Reads `traceparent` (W3C Trace Context section 3.2).
package enum TraceParent {
    /// The 32 digits of the trace id and the 2 of the flags in a valid value.
    static let traceID = 3..<35
    static let flags = 53..<55

    /// Whether the value is a valid version 00.
    package static func isValid(_ value: RawSpan) -> Bool {
        guard value.byteCount == 55, value[0] == 0x30, value[1] == 0x30, value[2] == 0x2D, value[35] == 0x2D, value[52] == 0x2D else {
            return false
        }
        return isHex(value, traceID) && isHex(value, 36..<52) && isHex(value, flags) && isNonZero(value, traceID)
            && isNonZero(value, 36..<52)
    }

    /// Lower-case digits only.
    private static func isHex(_ value: RawSpan, _ range: Range<Int>) -> Bool {
        value.extracting(range).allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
    }

    private static func isNonZero(_ value: RawSpan, _ range: Range<Int>) -> Bool {
        !value.extracting(range).allSatisfy { $0 == 0x30 }
    }
}
