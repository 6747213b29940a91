/// Base64 with the URL alphabet and without padding (RFC 4648 section 5).
package enum Base64URL {
    /// Encodes without padding (RFC 7515 section 2).
    package static func encode(_ bytes: [UInt8]) -> String {
        Base64Alphabet.url.encode(bytes, padded: false)
    }

    /// Writes the encoding of bytes, which must fit. Returns its length.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        Base64Alphabet.url.encode(bytes, into: output, padded: false)
    }

    /// Decodes; rejects padding, other alphabets, line breaks and non-zero trailing bits.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(text.utf8.span.bytes)
    }

    /// Decodes bytes like `decode(_:)`.
    package static func decode(_ text: RawSpan) -> [UInt8]? {
        Base64Alphabet.url.decode(text)
    }
}
