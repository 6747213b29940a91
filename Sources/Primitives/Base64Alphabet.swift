/// The two alphabets of RFC 4648 (sections 4 and 5) with a strict coder.
struct Base64Alphabet: Sendable {
    private let symbols: [UInt8]
    /// The value of each symbol by byte; 0xFF for other bytes.
    private let values: [UInt8]

    static let standard = Base64Alphabet(last: "+/")
    static let url = Base64Alphabet(last: "-_")
    /// Encodes the standard alphabet and decodes both, even in one text.
    static let both = Base64Alphabet(last: "+/", decodingToo: "-_")

    private init(last: String, decodingToo others: String = "") {
        symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + Array(last.utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(value) }
        for (index, symbol) in others.utf8.enumerated() { values[Int(symbol)] = UInt8(62 + index) }
        self.values = values
    }

    func encode(_ bytes: [UInt8], padded: Bool) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
            bytes.withUnsafeBytes { encode($0, into: output, padded: padded) }
        }
    }

    /// Writes the text, which must fit. Returns its length.
    func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>, padded: Bool) -> Int {
        symbols.withUnsafeBufferPointer { Self.encode(bytes, into: output, symbols: $0, padded: padded) }
    }

    /// Writes four symbols for each three bytes, and two or three for the rest. Returns how many.
    private static func encode(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>, symbols: UnsafeBufferPointer<UInt8>,
        padded: Bool
    ) -> Int {
        var count = 0
        func write(_ bits: UInt32) {
            output[count] = symbols[Int(bits & 63)]
            count += 1
        }
        var index = 0
        while index + 3 <= bytes.count {
            let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            write(bits >> 18)
            write(bits >> 12)
            write(bits >> 6)
            write(bits)
            index += 3
        }
        let rest = bytes.count - index
        guard rest > 0 else { return count }
        let bits = UInt32(bytes[index]) << 16 | (rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0)
        write(bits >> 18)
        write(bits >> 12)
        if rest == 2 { write(bits >> 6) }
        guard padded else { return count }
        for _ in rest..<3 {
            output[count] = UInt8(ascii: "=")
            count += 1
        }
        return count
    }

    /// Decodes unpadded symbols. Nil for any other byte, for a length of 4n + 1 and for trailing bits that
    /// are not zero, so that each value has a single encoding (RFC 4648 section 3.5).
    func decode(_ text: RawSpan) -> [UInt8]? {
        guard text.byteCount % 4 != 1 else { return nil }
        var canonical = true
        let output = [UInt8](unsafeUninitializedCapacity: text.byteCount * 3 / 4) { buffer, initialized in
            canonical = values.withUnsafeBufferPointer { values in
                text.withUnsafeBytes { Self.decode($0, into: buffer, &initialized, values: values) }
            }
        }
        return canonical ? output : nil
    }

    /// Writes three bytes for each four symbols, and one or two for the rest. Returns false if the text is not canonical.
    private static func decode(
        _ text: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int,
        values: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var seen: UInt32 = 0
        func value(_ index: Int) -> UInt32 {
            let value = UInt32(values[Int(text[index])])
            seen |= value
            return value & 63
        }
        var index = 0
        while index + 4 <= text.count {
            let bits = value(index) << 18 | value(index + 1) << 12 | value(index + 2) << 6 | value(index + 3)
            output[count] = UInt8(truncatingIfNeeded: bits >> 16)
            output[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[count + 2] = UInt8(truncatingIfNeeded: bits)
            count += 3
            index += 4
        }
        var leftover: UInt32 = 0
        switch text.count - index {
        case 2:
            let bits = value(index) << 6 | value(index + 1)
            output[count] = UInt8(truncatingIfNeeded: bits >> 4)
            count += 1
            leftover = bits & 15
        case 3:
            let bits = value(index) << 12 | value(index + 1) << 6 | value(index + 2)
            output[count] = UInt8(truncatingIfNeeded: bits >> 10)
            output[count + 1] = UInt8(truncatingIfNeeded: bits >> 2)
            count += 2
            leftover = bits & 3
        default: break
        }
        return seen & 0x80 == 0 && leftover == 0
    }
}
