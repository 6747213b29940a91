package enum Base64URL {
    /// Unpadded (RFC 7515 section 2).
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Alphabet.url.encode(bytes, padded: false), as: UTF8.self)
    }

    /// Refuses padding, other alphabets, line breaks and non-zero trailing bits.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
    }

    /// As `decode(_:)`, for text that is still bytes.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        Base64Alphabet.url.decode(text)
    }
}
