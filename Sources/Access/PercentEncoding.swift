import HTTPWire

enum PercentEncoding {
    /// Appends the escape of a byte with upper-case digits (RFC 3986 section 2.1).
    static func append(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(RequestPath.upperHexDigit(byte >> 4))
        output.append(RequestPath.upperHexDigit(byte & 15))
    }

    /// Escapes every byte except unreserved ones (RFC 3986 section 2.3).
    static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if RequestPath.isUnreserved(byte) {
                result.append(byte)
            } else {
                append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
