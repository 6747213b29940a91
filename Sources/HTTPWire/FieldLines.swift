import Glibc
public import NIOCore

/// The size limits of a head.
package struct HeadLimits: Sendable {
    /// Start line, field lines and line endings together, in bytes.
    package var bytes: Int
    package var fields: Int
    package init(bytes: Int = 32 * 1024, fields: Int = 100) {
        self.bytes = bytes
        self.fields = fields
    }
}

/// The way in which the end of a message's body is determined (RFC 9112 section 6.3).
public enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// A response without framing, which ends when its connection closes.
    case untilClose

    /// Written out, because derived conformances are not inlined into other modules.
    @inlinable @inline(__always)
    public static func == (left: BodyFraming, right: BodyFraming) -> Bool {
        switch (left, right) {
        case (.none, .none), (.chunked, .chunked), (.untilClose, .untilClose): true
        case (.length(let one), .length(let other)): one == other
        default: false
        }
    }
}

/// Parses a head incrementally: finds complete lines, splits field lines and enforces the limits.
///
/// Searches each byte for a line end only once, however slowly the bytes arrive.
struct HeadScanner {
    private(set) var fields = FieldList()
    private var spare = FieldList()
    /// The start of the current line.
    private var cursor = 0
    /// There is no LF between `cursor` and this offset.
    private var scanned = 0
    private var limits: HeadLimits
    private let classes = ByteClassTable.shared

    init(limits: HeadLimits) {
        self.limits = limits
        // Offsets have 32 bits.
        self.limits.bytes = min(limits.bytes, Int(Int32.max))
    }

    /// Returns the fields read so far; later ones go to another list.
    mutating func takeFields() -> FieldList {
        var taken = FieldList()
        swap(&taken, &fields)
        swap(&fields, &spare)
        return taken
    }

    /// Adds a line of another head, which is now so many bytes further on.
    mutating func add(_ field: FieldLine, movedBy distance: Int) {
        func moved(_ offset: UInt32) -> UInt32 { UInt32(clamping: Int(offset) + distance) }
        var line = field
        line.nameStart = moved(field.nameStart)
        line.valueStart = moved(field.valueStart)
        line.lineEnd = moved(field.lineEnd)
        fields.append(line)
    }

    mutating func takeBack(_ list: inout FieldList) {
        list.removeAll()
        // A connection with one head at a time needs only one list.
        if fields.hasMemory { swap(&spare, &list) } else { swap(&fields, &list) }
        list = FieldList()
    }

    mutating func reset() {
        fields.removeAll()
        cursor = 0
        scanned = 0
    }

    var isAtStart: Bool { cursor == 0 }

    /// The next complete line without its CRLF; nil if more bytes are needed.
    ///
    /// Rejects a bare LF, a CR not followed by LF, and a head beyond the limit. RFC 9112 section 2.2 lets a recipient
    /// accept a bare LF, but readers that disagree about line ends allow request smuggling.
    @inline(__always)
    mutating func line(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, tooLong: WireError
    ) throws(WireError) -> Range<Int>? {
        let window = min(count, limits.bytes)
        guard scanned < window, let found = memchr(bytes + scanned, 0x0A, window - scanned) else {
            scanned = window
            if count >= limits.bytes { throw tooLong }
            return nil
        }
        let lineFeed = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - bytes
        guard lineFeed > cursor, bytes[lineFeed - 1] == 0x0D else { throw .lineEndingInvalid }
        let line = cursor..<(lineFeed - 1)
        cursor = lineFeed + 1
        scanned = cursor
        return line
    }

    /// The start of the next line; the head's length once its empty line was read.
    var position: Int { cursor }

    /// Reads field lines up to the empty line. Returns whether the head is complete.
    mutating func readFields(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(WireError) -> Bool {
        let classes = classes
        while let line = try line(bytes, count, tooLong: .headTooLarge) {
            if line.isEmpty { return true }
            guard fields.count < limits.fields else { throw .tooManyFields }
            fields.append(try Self.fieldLine(bytes, line, classes))
        }
        return false
    }

    /// Parses `field-name ":" OWS field-value OWS` (RFC 9112 section 5), without white space before the colon and without folding.
    /// `line` is not empty.
    ///
    /// Sums cannot overflow, because `limits` bounds the size of the head.
    @inline(__always)
    static func fieldLine(
        _ bytes: UnsafePointer<UInt8>, _ line: Range<Int>, _ classes: ByteClassTable
    ) throws(WireError) -> FieldLine {
        let name = line.lowerBound
        if bytes[name] == 0x20 || bytes[name] == 0x09 { throw .fieldFolded }
        let colon = ByteClassTable.colon(bytes, from: name, to: line.upperBound)
        guard colon > name, colon < line.upperBound else { throw .fieldNameInvalid }
        let known = KnownField.identify(bytes + name, colon &- name)
        // Known names are tokens.
        if known == .other, classes.tokenEnd(bytes, from: name, to: colon) < colon { throw .fieldNameInvalid }
        var start = colon &+ 1
        var end = line.upperBound
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start &+= 1 }
        while end > start, bytes[end &- 1] == 0x20 || bytes[end &- 1] == 0x09 { end &-= 1 }
        guard classes.fieldValueEnd(bytes, from: start, to: end) == end else { throw .fieldValueInvalid }
        return FieldLine(
            nameStart: UInt32(truncatingIfNeeded: name), nameLength: UInt32(truncatingIfNeeded: colon &- name),
            valueStart: UInt32(truncatingIfNeeded: start), valueLength: UInt32(truncatingIfNeeded: end &- start),
            lineEnd: UInt32(truncatingIfNeeded: line.upperBound &+ 2), known: known)
    }
}

extension ByteBuffer {
    /// The readable bytes, as `readableBytesSpan`, which is not inlined: 25 instructions each time (docs/decisions/0036-memory-safety.md).
    @inlinable @inline(__always)
    public var byteSpan: RawSpan {
        @_lifetime(borrow self)
        borrowing get {
            let bytes = withUnsafeReadableBytes { $0 }
            return _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
        }
    }

    /// Appends bytes, without the slices and checks of `writeBytes`.
    @inlinable @inline(__always)
    public mutating func put(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { bytes in
            _ = writeWithUnsafeMutableBytes(minimumWritableBytes: bytes.count) { memory in
                memory.copyMemory(from: bytes)
                return bytes.count
            }
        }
    }
}

/// Calls `body` with the readable bytes of `buffer`.
@inline(__always)
func withBytes<Result, Failure: Error>(
    of buffer: ByteBuffer, _ body: (UnsafePointer<UInt8>, Int) throws(Failure) -> Result
) throws(Failure) -> Result {
    try buffer.withUnsafeReadableBytes { (raw: UnsafeRawBufferPointer) throws(Failure) -> Result in
        guard let base = raw.baseAddress else {
            var nothing: UInt8 = 0
            return try body(&nothing, 0)
        }
        return try body(base.assumingMemoryBound(to: UInt8.self), raw.count)
    }
}
