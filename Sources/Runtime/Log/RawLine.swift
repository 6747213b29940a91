import Glibc
import HTTPWire

/// Lines of the access log as they are put together: bytes of known room, no strings.
///
/// `reserve` is asked once for a line, with the most it can need; what follows writes without asking.
struct RawLines {
    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutablePointer<UInt8>

    init(capacity: Int = 64 * 1024) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    /// For the owner's `deinit`.
    func deallocate() { base.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
    mutating func removeAll() { count = 0 }

    mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: (count + more) * 2)
        memcpy(larger, base, count)
        base.deallocate()
        base = larger
        capacity = (count + more) * 2
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        memcpy(base + count, text.utf8Start, text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        memcpy(base + count, start, bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

    mutating func put(number value: Int) {
        if value < 0 { put(UInt8(ascii: "-")) }
        var value = value.magnitude
        if value < 10 { return put(UInt8(truncatingIfNeeded: 48 + value)) }
        var length = 1
        var rest = value / 10
        while rest > 0 {
            length += 1
            rest /= 10
        }
        var index = count + length
        count = index
        repeat {
            index -= 1
            base[index] = UInt8(truncatingIfNeeded: 48 + value % 10)
            value /= 10
        } while value > 0
    }

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

    mutating func put(hexadecimal value: UInt64) {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: (value >> shift) & 0xF)
            put(digit < 10 ? 48 + digit : 87 + digit)
        }
    }

    /// What a client sent, escaped as within a JSON string. Needs six bytes of room for each.
    @inline(__always)
    mutating func put(escaped bytes: UnsafeRawBufferPointer) {
        for byte in bytes where byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { return putSlowly(bytes) }
        put(bytes)
    }

    private mutating func putSlowly(_ bytes: UnsafeRawBufferPointer) {
        var escaped: [UInt8] = []
        LogEscaping.append(String(decoding: bytes, as: UTF8.self), to: &escaped)
        reserve(escaped.count + 2_048)
        put(escaped)
    }
}
