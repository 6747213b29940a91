/// A field line of a head, as offsets from the head's first byte.
public struct FieldLine: Sendable {
    public var nameStart: UInt32
    public var nameLength: UInt32
    public var valueStart: UInt32
    public var valueLength: UInt32
    /// The offset after the line's CRLF. Lines are contiguous, so a run of lines is one range of bytes.
    public var lineEnd: UInt32
    public var known: KnownField

    /// The value; `bytes` are those of the head.
    @inlinable @inline(__always) @_lifetime(copy bytes)
    public func value(in bytes: RawSpan) -> RawSpan { bytes.extracting(Self.range(valueStart, valueLength)) }

    /// The name as spelled; `bytes` are those of the head.
    @inlinable @inline(__always) @_lifetime(copy bytes)
    public func name(in bytes: RawSpan) -> RawSpan { bytes.extracting(Self.range(nameStart, nameLength)) }

    @inlinable @inline(__always)
    static func range(_ start: UInt32, _ length: UInt32) -> Range<Int> {
        Range(uncheckedBounds: (Int(start), Int(start) &+ Int(length)))
    }
}

/// The field lines of a head, in order.
///
/// Copies share the lines. A parser fills a list once and takes its memory back for a later head if nobody else holds it. An array does
/// the same with four times the instructions. `public` and inlinable, because other modules read it line by line (docs/decisions/0019).
///
/// Unchecked: memory that two lists share is never changed.
public struct FieldList: @unchecked Sendable, RandomAccessCollection {
    /// The number of lines and the room for lines in a list's memory.
    @usableFromInline
    struct Size {
        @usableFromInline var count: Int
        @usableFromInline var capacity: Int
    }

    /// nil: no lines, and no memory for any.
    @usableFromInline var memory: ManagedBuffer<Size, FieldLine>?

    init() {}

    public var startIndex: Int { @inlinable @inline(__always) get { 0 } }
    public var endIndex: Int { @inlinable @inline(__always) get { memory?.header.count ?? 0 } }

    public subscript(index: Int) -> FieldLine {
        @inlinable @inline(__always)
        get {
            guard let memory, index >= 0, index < memory.header.count else { preconditionFailure("no such field line") }
            return memory.withUnsafeMutablePointerToElements { $0[index] }
        }
    }

    /// Whether it has memory for lines.
    var hasMemory: Bool { memory != nil }

    /// Appends a line. No other list may share the memory.
    @inline(__always)
    mutating func append(_ line: FieldLine) {
        guard let memory, memory.header.count < memory.header.capacity else { return grow(for: line) }
        (memory.withUnsafeMutablePointerToElements { $0 } + memory.header.count).initialize(to: line)
        memory.header.count &+= 1
    }

    @inline(never)
    private mutating func grow(for line: FieldLine) {
        let count = self.count
        let capacity = Swift.max(16, count * 2)
        // The elements need no deinitialisation.
        let larger = ManagedBuffer<Size, FieldLine>.create(minimumCapacity: capacity) { _ in Size(count: count, capacity: capacity) }
        if let memory {
            memory.withUnsafeMutablePointerToElements { lines in
                larger.withUnsafeMutablePointerToElements { $0.initialize(from: lines, count: count) }
            }
        }
        memory = larger
        append(line)
    }

    /// Removes all lines, and keeps the memory unless another list shares it.
    @inline(__always)
    mutating func removeAll() {
        guard isKnownUniquelyReferenced(&memory) else { return memory = nil }
        memory?.header.count = 0
    }
}
