/// The contents of JSON strings (RFC 8259 section 7).
package enum JSONEscaping {
    /// Appends a text. Controls, DEL, quotes and backslashes are escaped. `isEscaped` names the other characters to escape, because logs,
    /// pages and reports differ there; it must return false for ASCII letters and digits and for characters above U+FFFF.
    package static func append(
        _ text: String, to bytes: inout [UInt8], alsoEscaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }
    ) {
        guard !text.utf8.allSatisfy(isPlain) else { return bytes.append(contentsOf: text.utf8) }
        for scalar in text.unicodeScalars { append(scalar, to: &bytes, alsoEscaping: isEscaped) }
    }

    /// Appends one character like `append` of a text.
    package static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8], alsoEscaping isEscaped: (Unicode.Scalar) -> Bool) {
        switch scalar.value {
        case 0x22: bytes.append(contentsOf: "\\\"".utf8)
        case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F: appendNumber(of: scalar, to: &bytes)
        default:
            if isEscaped(scalar) { appendNumber(of: scalar, to: &bytes) } else { bytes.append(contentsOf: String(scalar).utf8) }
        }
    }

    private static func appendNumber(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        let digits = String(scalar.value, radix: 16)
        bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits).utf8)
    }

    /// ASCII that no rule escapes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x26, 0x3C, 0x3E, 0x5C: false
        default: byte >= 0x20 && byte < 0x7F
        }
    }
}
