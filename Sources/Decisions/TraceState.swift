import Primitives
import HTTPWire

/// The trace that a request belongs to, and the gateway's place in it (W3C Trace Context).
package struct TraceState: Sendable {
    /// False while nothing is traced: nothing else here means anything then.
    package var isActive = false
    package var isSampled = false
    /// The trace came with the request.
    package var isContinued = false
    package var high: UInt64 = 0
    package var low: UInt64 = 0
    /// The caller's span, 0 without one.
    package var parent: UInt64 = 0
    /// The request's.
    package var span: UInt64 = 0
    /// The upstream's, 0 before anything is forwarded.
    package var upstreamSpan: UInt64 = 0

    package init() {}

    /// Nil unless `value`, of `traceparent`, is valid.
    package init?(traceparent value: RawSpan) {
        guard TraceParent.isValid(value) else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            range.reduce(0) { $0 << 4 | UInt64(value[$1] < 0x3A ? value[$1] - 0x30 : value[$1] - 0x57) }
        }
        high = number(3..<19)
        low = number(19..<35)
        parent = number(36..<52)
        isSampled = number(53..<55) & 1 == 1
        isContinued = true
        isActive = true
    }

    package var traceID: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

    package static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
