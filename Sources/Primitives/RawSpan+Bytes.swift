import Glibc

/// Reads of bytes that belong to somebody else, each checked against their bounds (docs/decisions/0036-memory-safety.md).
///
/// `public`, because the compiler inlines only public functions into other modules (docs/decisions/0019).
extension RawSpan {
    @inlinable @inline(__always)
    public subscript(offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    @inlinable @inline(__always)
    public var first: UInt8? { isEmpty ? nil : self[0] }

    /// The offset of the first such byte.
    public func firstOffset(of byte: UInt8) -> Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }

    @inlinable
    public func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for offset in byteOffsets where !predicate(self[offset]) { return false }
        return true
    }

    /// The bytes without spaces and tabs at both ends.
    @_lifetime(copy self)
    public func trimmingBlanks() -> RawSpan {
        var start = 0
        var end = byteCount
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return extracting(start..<end)
    }

    /// Whether these are the other bytes, one by one.
    public func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, byteCount) == 0
            }
        }
    }

    public func equals(_ other: [UInt8]) -> Bool { equals(other.span.bytes) }

    @inlinable
    public func equals(_ text: StaticString) -> Bool {
        guard byteCount == text.utf8CodeUnitCount else { return false }
        for offset in byteOffsets where self[offset] != text.utf8Start[offset] { return false }
        return true
    }
}

extension StaticString {
    /// The text's bytes, which are part of the program.
    package var bytes: RawSpan {
        @_lifetime(immortal)
        get { _overrideLifetime(RawSpan(_unsafeStart: utf8Start, count: utf8CodeUnitCount), copying: ()) }
    }
}

extension [UInt8] {
    @inlinable @inline(__always)
    public init(_ bytes: RawSpan) { self = bytes.withUnsafeBytes { Array($0) } }

    @inlinable @inline(__always)
    public mutating func append(contentsOf bytes: RawSpan) { bytes.withUnsafeBytes { append(contentsOf: $0) } }
}

extension String {
    /// UTF-8, with U+FFFD for what is none.
    @inlinable @inline(__always)
    public init(decoding bytes: RawSpan) { self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
