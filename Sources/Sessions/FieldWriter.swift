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

    /// nil is the count 0, any text its length plus one.
    mutating func write(_ text: String?) {
        guard let text else { return write(count: 0) }
        write(count: text.utf8.count + 1)
        bytes.append(contentsOf: text.utf8)
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
