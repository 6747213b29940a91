package enum Base32 {
    /// Encodes with the RFC 4648 section 6 alphabet in lower case, without padding.
    package static func lowercased(_ bytes: [UInt8]) -> String {
        let symbols = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count * 8 + 4) / 5)
        var accumulator: UInt32 = 0
        var bits = 0
        for byte in bytes {
            accumulator = accumulator << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                output.append(symbols[Int(accumulator >> UInt32(bits)) & 31])
            }
        }
        if bits > 0 { output.append(symbols[Int(accumulator << UInt32(5 - bits)) & 31]) }
        return String(decoding: output, as: UTF8.self)
    }
}
