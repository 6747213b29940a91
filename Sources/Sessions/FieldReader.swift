import Primitives
import TokenCrypto

/// Reads what `FieldWriter` wrote. Every read answers nil where the bytes end early or say something
/// that the writer would have said otherwise.
struct FieldReader: ~Escapable {
    private let bytes: RawSpan
    private var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.byteCount }
    var remaining: Int { bytes.byteCount - position }

    mutating func byte() -> UInt8? {
        guard position < bytes.byteCount else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func fixed(_ count: Int) -> [UInt8]? {
        guard let bytes = slice(count) else { return nil }
        return Array(bytes)
    }

    mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(_ type: Integer.Type) -> Integer? {
        guard let bytes = slice(MemoryLayout<Integer>.size) else { return nil }
        return Integer(bigEndian: bytes.unsafeLoadUnaligned(as: Integer.self))
    }

    /// Unix milliseconds; nil outside `PlausibleTime`.
    mutating func time() -> Int64? {
        integer(Int64.self).flatMap { PlausibleTime.milliseconds.contains($0) ? $0 : nil }
    }

    mutating func text() -> String? {
        guard let count = count(), let bytes = slice(count) else { return nil }
        return bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    }

    /// The outer nil is a refusal, the inner one a token that is absent.
    mutating func token() -> String?? {
        guard let count = count() else { return nil }
        switch count {
        case 0: return .some(nil)
        case 1:
            guard let text = text(), TokenParts.split(text) == nil else { return nil }
            return text
        default:
            guard count - 1 <= TokenParts.most else { return nil }
            var parts: [[UInt8]] = []
            for _ in 1..<count {
                guard let size = self.count(), let part = fixed(size) else { return nil }
                parts.append(part)
            }
            return TokenParts.join(parts)
        }
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

    @_lifetime(copy self)
    private mutating func slice(_ count: Int) -> RawSpan? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return bytes.extracting(position..<position + count)
    }
}
