import HTTPWire
import Primitives

extension LineBytes {
    /// Three digits behind the point: nanoseconds as milliseconds.
    mutating func put(milliseconds nanoseconds: Int) {
        let micro = max(0, nanoseconds) / 1_000
        put(number: micro / 1_000)
        let rest = micro % 1_000
        put(UInt8(ascii: "."))
        put(UInt8(truncatingIfNeeded: 48 + rest / 100))
        put(UInt8(truncatingIfNeeded: 48 + rest / 10 % 10))
        put(UInt8(truncatingIfNeeded: 48 + rest % 10))
    }

    /// Appends a client's value, escaped as within a JSON string: at most `limit` bytes, and `…` instead of the rest.
    @inline(__always)
    mutating func put(escaped bytes: RawSpan, limit: Int) {
        if bytes.byteCount > limit { return putSlowly(bytes, limit: limit) }
        for offset in bytes.byteOffsets {
            let byte = bytes[offset]
            if byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { return putSlowly(bytes, limit: limit) }
        }
        put(bytes)
    }

    private mutating func putSlowly(_ bytes: RawSpan, limit: Int) {
        var escaped: [UInt8] = []
        // One byte more than is shown, so that the cut is marked.
        LogEscaping.append(String(decoding: bytes.extracting(first: limit + 1)), to: &escaped, limit: limit)
        put(escaped)
    }
}
