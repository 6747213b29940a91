/// The slots of a cluster.
enum RedisSlot {
    static let count = 16_384

    /// The slot of a key: of its part in the first pair of braces, if that is not empty.
    static func of(_ key: [UInt8]) -> Int {
        var part = key[...]
        if let open = key.firstIndex(of: UInt8(ascii: "{")), let close = key[open...].firstIndex(of: UInt8(ascii: "}")), close > open + 1 {
            part = key[(open + 1)..<close]
        }
        var code: UInt16 = 0
        for byte in part {
            code ^= UInt16(byte) << 8
            // CRC-16/XMODEM.
            for _ in 0..<8 { code = code & 0x8000 == 0 ? code << 1 : code << 1 ^ 0x1021 }
        }
        return Int(code) % count
    }
}
