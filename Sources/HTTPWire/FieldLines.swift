import Glibc
public import NIOCore

/// One field line of a head, as offsets from the head's first byte.
package struct FieldLine: Sendable {
    package var nameStart: UInt32
    package var nameLength: UInt32
    package var valueStart: UInt32
    package var valueLength: UInt32
    /// One past the line's CRLF: lines are contiguous, so a run of lines is one range of bytes.
    package var lineEnd: UInt32
    package var known: KnownField
}

/// How large a head may be.
package struct HeadLimits: Sendable {
    /// Start line, field lines and line endings together.
    package var bytes: Int
    package var fields: Int
    package init(bytes: Int = 32 * 1024, fields: Int = 100) {
        self.bytes = bytes
        self.fields = fields
    }
}

/// How a message's body is delimited (RFC 9112 section 6.3).
public enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// A response without framing, ended by the close of its connection.
    case untilClose

    /// What is derived is not inlined into other rooms.
    @inlinable @inline(__always)
    public static func == (left: BodyFraming, right: BodyFraming) -> Bool {
        switch (left, right) {
        case (.none, .none), (.chunked, .chunked), (.untilClose, .untilClose): true
        case (.length(let one), .length(let other)): one == other
        default: false
        }
    }
}

/// The incremental part of reading a head: finds complete lines, splits field lines, enforces the limits.
///
/// No byte is looked at twice for a line end, however slowly the bytes arrive.
struct HeadScanner {
    private(set) var fields: [FieldLine] = []
    private var spare: [FieldLine] = []
    /// Where the line being read starts.
    private var cursor = 0
    /// Everything before this holds no LF beyond `cursor`.
    private var scanned = 0
    private var limits: HeadLimits
    private let classes = ByteClassTable.shared
    /// Lines that are gathered before they are added to the list.
    private static let batch = 16

    init(limits: HeadLimits) {
        self.limits = limits
        // Offsets are kept in 32 bits.
        self.limits.bytes = min(limits.bytes, Int(Int32.max))
    }

    /// The fields read so far; what is read next goes into another list.
    mutating func takeFields() -> [FieldLine] {
        var taken: [FieldLine] = []
        swap(&taken, &fields)
        swap(&fields, &spare)
        return taken
    }

    mutating func takeBack(_ list: inout [FieldLine]) {
        list.removeAll(keepingCapacity: true)
        // One list is enough for a connection that has one head at a time.
        if fields.capacity == 0 { swap(&fields, &list) } else { swap(&spare, &list) }
        list = []
    }

    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        cursor = 0
        scanned = 0
    }

    var isAtStart: Bool { cursor == 0 }

    /// The next complete line without its CRLF, or nil when more bytes are needed.
    ///
    /// Refuses a bare LF, a CR anywhere but before LF, and a head beyond the limit (RFC 9112 section 2.2: a recipient may
    /// take a bare LF for a line end; readers that disagree about it are what request smuggling is made of).
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

    /// Where the next line starts: the head's length once its empty line was read.
    var position: Int { cursor }

    /// Reads field lines up to the empty line. True when the head is complete.
    mutating func readFields(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(WireError) -> Bool {
        if fields.capacity == 0 { fields.reserveCapacity(Self.batch) }
        let classes = classes
        // To append to an array one by one costs as much as to find the lines.
        return try withUnsafeTemporaryAllocation(of: FieldLine.self, capacity: Self.batch) { lines throws(WireError) in
            var isComplete = false
            var read = 0
            while let line = try line(bytes, count, tooLong: .headTooLarge) {
                isComplete = line.isEmpty
                if isComplete { break }
                guard fields.count &+ read < limits.fields else { throw .tooManyFields }
                lines.initializeElement(at: read, to: try Self.fieldLine(bytes, line, classes))
                read &+= 1
                if read == Self.batch {
                    fields.append(contentsOf: UnsafeBufferPointer(lines))
                    read = 0
                }
            }
            fields.append(contentsOf: UnsafeBufferPointer(rebasing: lines[..<read]))
            return isComplete
        }
    }

    /// `field-name ":" OWS field-value OWS` (RFC 9112 section 5). No white space before the colon, no folding. `line` is not empty.
    ///
    /// Sums cannot overflow: they stay within the head, whose size `limits` bounds.
    @inline(__always)
    static func fieldLine(
        _ bytes: UnsafePointer<UInt8>, _ line: Range<Int>, _ classes: ByteClassTable
    ) throws(WireError) -> FieldLine {
        let name = line.lowerBound
        if bytes[name] == 0x20 || bytes[name] == 0x09 { throw .fieldFolded }
        let colon = ByteClassTable.colon(bytes, from: name, to: line.upperBound)
        guard colon > name, colon < line.upperBound else { throw .fieldNameInvalid }
        let known = KnownField.identify(bytes + name, colon &- name)
        // The names that are known are tokens.
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

/// Calls `body` with the readable bytes of `buffer`.
@inlinable @inline(__always)
package func withBytes<Result, Failure: Error>(
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
