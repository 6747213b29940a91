/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
package enum Base64 {
    /// Encodes with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        Base64Alphabet.standard.encode(bytes, padded: true)
    }

    /// Decodes the standard alphabet with padding; nil for any other text.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return Base64Alphabet.standard.decode(text.utf8.span.bytes.extracting(droppingLast: padding))
    }

    /// Decodes the standard or the URL alphabet, with or without padding; nil for any other character, including white space.
    package static func decodeAny(_ text: String) -> [UInt8]? {
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || text.utf8.count % 4 == 0 else { return nil }
        return Base64Alphabet.both.decode(text.utf8.span.bytes.extracting(droppingLast: padding))
    }
}
