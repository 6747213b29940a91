/// Reads what `FieldWriter` wrote. Every read answers nil where the bytes end early or say something
/// that the writer would have said otherwise.
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }
    var remaining: Int { bytes.count - position }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func fixed(_ count: Int) -> [UInt8]? { slice(count).map(Array.init) }

    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        slice(MemoryLayout<Integer>.size).map { Integer(bigEndian: $0.loadUnaligned(as: Integer.self)) }
    }

    mutating func text() -> String? { count().flatMap { text($0) } }

    /// The outer nil is a refusal, the inner one a text that is absent.
    mutating func optionalText() -> String?? {
        guard let count = count() else { return nil }
        if count == 0 { return .some(nil) }
        return text(count - 1).map(Optional.some)
    }

    /// A count of at most four bytes, in its shortest form.
    mutating func count() -> Int? {
        var value = 0
        for shift in stride(from: 0, through: 21, by: 7) {
            guard let next = byte() else { return nil }
            value |= Int(next & 0x7F) << shift
            if next & 0x80 == 0 { return next == 0 && shift > 0 ? nil : value }
        }
        return nil
    }

    private mutating func text(_ count: Int) -> String? {
        slice(count).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}
