/// Appends fields to a binary payload. Each is of fixed size or carries its length, so that no two
/// sequences of fields have the same bytes.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// As many bytes as the reader expects.
    mutating func write(fixed: [UInt8]) { bytes.append(contentsOf: fixed) }

    mutating func write<Integer: FixedWidthInteger>(_ integer: Integer) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// A text that is mostly base64url, as in RFC 7515 section 7.1 and of most opaque tokens, in three quarters of its bytes.
    ///
    /// The count 0 is nil, 1 the text as it is, any other the number of its parts plus one, and the bytes that the parts encode.
    mutating func write(token: String?) {
        guard let token else { return write(count: 0) }
        guard let parts = TokenParts.split(token) else {
            write(count: 1)
            return write(token)
        }
        write(count: parts.count + 1)
        for part in parts {
            write(count: part.count)
            bytes.append(contentsOf: part)
        }
    }

    /// Seven bits a byte, the low ones first, in as few bytes as possible.
    mutating func write(count: Int) {
        var rest = UInt(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
