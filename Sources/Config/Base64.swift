enum Base64 {
    /// Decodes the standard or the URL alphabet, with or without padding; nil for any other character, including white space.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = text.utf8[...]
        var padding = 0
        while digits.last == UInt8(ascii: "="), padding < 2 {
            digits = digits.dropLast()
            padding += 1
        }
        guard digits.count % 4 != 1, padding == 0 || (digits.count + padding) % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        // Bits beyond the last byte must be zero, so that each key has one encoding (RFC 4648 section 3.5).
        guard buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return result
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
