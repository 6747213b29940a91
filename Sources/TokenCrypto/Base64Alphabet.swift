/// The two alphabets of RFC 4648 (sections 4 and 5) over one strict coder.
struct Base64Alphabet: Sendable {
    private let symbols: [UInt8]
    /// By byte: the value of a symbol, 0xFF for everything else.
    private let values: [UInt8]

    static let standard = Base64Alphabet(last: "+/")
    static let url = Base64Alphabet(last: "-_")

    private init(last: String) {
        symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + Array(last.utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: [UInt8], padded: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let group = min(3, bytes.count - index)
            var bits = UInt32(bytes[index]) << 16
            if group > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
            if group > 2 { bits |= UInt32(bytes[index + 2]) }
            for position in 0...group { output.append(symbols[Int(bits >> UInt32(18 - 6 * position)) & 63]) }
            if padded { output.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - group)) }
            index += 3
        }
        return output
    }

    /// Unpadded symbols only: nil for any other byte, for a length of 4n + 1 and for trailing bits that
    /// are not zero, so that each value has one spelling (RFC 4648 section 3.5).
    func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        let count = text.count * 3 / 4
        var canonical = true
        let output = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var accumulator: UInt32 = 0
            var bits = 0
            var invalid: UInt8 = 0
            for byte in text {
                let value = values[Int(byte)]
                invalid |= value
                accumulator = accumulator << 6 | UInt32(value & 63)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    buffer[initialized] = UInt8(truncatingIfNeeded: accumulator >> UInt32(bits))
                    initialized += 1
                }
            }
            canonical = invalid & 0x80 == 0 && accumulator & (1 << UInt32(bits) - 1) == 0
        }
        return canonical ? output : nil
    }
}
