/// Base64 with the URL alphabet and without padding (RFC 4648 section 5).
package enum Base64URL {
    /// Encodes without padding (RFC 7515 section 2).
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Alphabet.url.encode(bytes, padded: false), as: UTF8.self)
    }

    /// Decodes; rejects padding, other alphabets, line breaks and non-zero trailing bits.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
    }

    /// Decodes bytes like `decode(_:)`.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        Base64Alphabet.url.decode(text)
    }
}
