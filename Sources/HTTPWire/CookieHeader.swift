import Glibc
import Primitives

/// A piece of a `Cookie` field value, as byte offsets without surrounding white space.
package struct CookiePair: Sendable, Hashable {
    /// Empty for a piece without `=` or with nothing before it (RFC 6265bis section 5.7, nameless cookies).
    package let name: Range<Int>
    /// Everything after the first `=`, including quotes; the whole piece without `=`.
    package let value: Range<Int>
    package let whole: Range<Int>
}

/// Iterates over the pairs of a `Cookie` field value, with the tolerant parsing of RFC 6265bis section 5.7.
///
/// Accepts any bytes and neither unquotes nor decodes. `;` always ends a pair, also within quotes, so that a pair hidden in a
/// quoted value is seen separately. Skips empty pieces.
package struct CookieHeader: ~Escapable {
    private let bytes: RawSpan
    private var index = 0

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) { self.bytes = bytes }

    package mutating func next() -> CookiePair? {
        while index < bytes.byteCount {
            var start = index
            var end = firstIndex(of: UInt8(ascii: ";"), from: index, to: bytes.byteCount)
            let equals = firstIndex(of: UInt8(ascii: "="), from: index, to: end)
            index = end + 1
            let separator = equals < end ? equals : -1
            while start < end, Self.isSpace(bytes[start]) { start += 1 }
            while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
            if start == end { continue }
            return pair(start: start, end: end, equals: separator)
        }
        return nil
    }

    @inline(__always)
    private func pair(start: Int, end: Int, equals: Int) -> CookiePair {
        guard equals >= 0 else { return CookiePair(name: start..<start, value: start..<end, whole: start..<end) }
        var nameEnd = equals
        while nameEnd > start, Self.isSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
        var valueStart = equals + 1
        while valueStart < end, Self.isSpace(bytes[valueStart]) { valueStart += 1 }
        return CookiePair(name: start..<nameEnd, value: Swift.min(valueStart, end)..<end, whole: start..<end)
    }

    /// The first position of a byte, or `end`. Uses memchr, because session values are long.
    @inline(__always)
    private func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int {
        bytes.extracting(start..<end).withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return end }
            return start + (UnsafeRawPointer(found) - base)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension CookieHeader {
    /// The result of looking up a name.
    package enum Lookup: Sendable, Hashable {
        case none
        case one(Range<Int>)
        /// The name occurs more than once. No value is used, because programs disagree on which one counts.
        case several
    }

    /// Finds the value with exactly this name (cookie names are case-sensitive).
    package static func value(named name: RawSpan, in bytes: RawSpan) -> Lookup {
        var found = Lookup.none
        var pairs = CookieHeader(bytes)
        while let pair = pairs.next() {
            guard bytes.extracting(pair.name).equals(name) else { continue }
            guard case .none = found else { return .several }
            found = .one(pair.value)
        }
        return found
    }

    /// Appends the unchanged pairs whose name is not stripped, joined by `; `.
    ///
    /// Returns the number of pairs. Without any, nothing is appended and the field must be left out.
    package static func strippingPairs(
        from bytes: RawSpan, into output: inout [UInt8], where isStripped: (RawSpan) -> Bool
    ) -> Int {
        var survivors = 0
        var pairs = CookieHeader(bytes)
        while let pair = pairs.next() {
            if isStripped(bytes.extracting(pair.name)) { continue }
            if survivors > 0 {
                output.append(UInt8(ascii: ";"))
                output.append(0x20)
            }
            output.append(contentsOf: bytes.extracting(pair.whole))
            survivors += 1
        }
        return survivors
    }
}
