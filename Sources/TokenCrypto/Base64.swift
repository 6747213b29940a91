package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Alphabet.standard.encode(bytes, padded: true), as: UTF8.self)
    }

    /// Decodes the standard alphabet with padding; nil for any other text.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count % 4 == 0 else { return nil }
            let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return Base64Alphabet.standard.decode(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).dropLast(padding)))
        }
    }
}
