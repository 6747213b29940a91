public import NIOCore

/// A growing byte buffer for lines of heads and logs, without the checks of `ByteBuffer` before each write.
///
/// Inlined into other modules, so that constants are stored directly instead of copied by a call. `public` for the same
/// reason: the compiler keeps only public bodies for other modules.
public struct LineBytes: ~Copyable {
    @usableFromInline var filled = 0
    @usableFromInline var capacity: Int
    @usableFromInline var base: UnsafeMutablePointer<UInt8>

    package init(capacity: Int = 2 * 1024) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    package var count: Int { filled }

    @inlinable @inline(__always)
    public var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get { _overrideLifetime(RawSpan(_unsafeStart: UnsafeRawPointer(base), byteCount: filled), borrowing: self) }
    }

    /// Appends all of them to a buffer.
    @inlinable @inline(__always)
    public func write(to buffer: inout ByteBuffer) { buffer.put(bytes) }

    /// Appends all of them to other lines.
    package func write(to lines: inout LineBytes) { lines.put(bytes) }

    @inlinable @inline(__always)
    public mutating func removeAll() { filled = 0 }

    package mutating func removeLast(_ count: Int) { filled = max(0, filled - count) }

    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if more > capacity - filled { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        let larger = (filled + more) * 2
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: filled)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// `bytes` must not point into this buffer.
    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        reserve(count)
        (base + filled).update(from: bytes, count: count)
        filled += count
    }

    @inlinable @inline(__always)
    public mutating func put(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

    @inlinable @inline(__always)
    public mutating func put(_ byte: UInt8) {
        reserve(1)
        base[filled] = byte
        filled += 1
    }

    package mutating func put(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            append(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
    }

    package mutating func put(_ bytes: [UInt8]) { put(bytes.span.bytes) }

    package mutating func put(_ bytes: ByteBuffer) { put(bytes.byteSpan) }

    package mutating func put(text: String) { put(text.utf8.span.bytes) }

    /// Appends decimal digits, with `-` for negative numbers.
    package mutating func put(number value: Int) {
        reserve(20)
        if value < 0 { put(UInt8(ascii: "-")) }
        var value = value.magnitude
        // Lengths and status codes have few digits: comparing costs less than dividing twice.
        var length = 1
        var limit: UInt = 10
        while length < 19, value >= limit {
            length &+= 1
            limit &*= 10
        }
        if length == 19, value >= limit { length = 20 }
        var index = filled &+ length
        filled = index
        repeat {
            index &-= 1
            base[index] = UInt8(truncatingIfNeeded: 48 &+ value % 10)
            value /= 10
        } while value > 0
    }

    /// Appends sixteen lower-case digits.
    package mutating func put(hexadecimal value: UInt64) {
        reserve(16)
        // Converts eight nibbles at a time, each in its own byte.
        let place = UnsafeMutableRawPointer(base + filled)
        place.storeBytes(of: Self.digits(UInt32(truncatingIfNeeded: value >> 32)).bigEndian, as: UInt64.self)
        place.storeBytes(of: Self.digits(UInt32(truncatingIfNeeded: value)).bigEndian, toByteOffset: 8, as: UInt64.self)
        filled += 16
    }

    /// Converts a number to eight ASCII digits, with the highest nibble in the highest byte.
    @inline(__always)
    private static func digits(_ value: UInt32) -> UInt64 {
        var nibbles = UInt64(value)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte that is 10 or more.
        let letters = ((nibbles &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
