import Diagnostics

/// Checks the bytes before libyaml sees them: UTF-8 (RFC 3629) and YAML's printable characters (YAML 1.2.2 section 5.1).
enum CharacterCheck {
    /// Reports the first byte or character that YAML does not allow.
    static func problem(in source: SourceFile) -> Diagnostic? {
        let bytes = source.bytes
        if bytes.count >= 2, (bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF) {
            return Diagnostic(
                .yamlSyntax, at: SourceSpan(start: 0, end: 2), "this file is UTF-16", help: "save it as UTF-8")
        }
        return bytes.withUnsafeBufferPointer { scan($0) }
    }

    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Diagnostic? {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                if byte < 0x20 ? (byte != 0x09 && byte != 0x0A && byte != 0x0D) : byte == 0x7F {
                    return control(UInt32(byte), at: index, length: 1)
                }
                index += 1
                continue
            }
            guard let (value, length) = decode(bytes, at: index) else {
                return Diagnostic(
                    .yamlSyntax, at: SourceSpan(start: index, end: index + 1), "this byte is not UTF-8",
                    label: "byte 0x\(hex(UInt32(byte), digits: 2))", help: "save the file as UTF-8")
            }
            if value == 0x85 || value == 0x2028 || value == 0x2029 {
                return oldLineBreak(value, at: index, length: length)
            }
            if (0x80..<0xA0).contains(value) || value == 0xFFFE || value == 0xFFFF {
                return control(value, at: index, length: length)
            }
            index += length
        }
        return nil
    }

    /// libyaml ends lines and comments at these characters; YAML 1.2 and editors do not (section 5.4). Rejected, so that a comment is
    /// the same for both.
    private static func oldLineBreak(_ value: UInt32, at index: Int, length: Int) -> Diagnostic {
        Diagnostic(
            .yamlSyntax, at: SourceSpan(start: index, end: index + length), "the file contains a line break that only YAML 1.1 knows",
            label: "U+\(hex(value, digits: 4))", help: "remove it, or write it as an escape in double quotes")
    }

    private static func control(_ value: UInt32, at index: Int, length: Int) -> Diagnostic {
        Diagnostic(
            .yamlSyntax, at: SourceSpan(start: index, end: index + length),
            value == 0 ? "the file contains a NUL character" : "the file contains a control character", label: "U+\(hex(value, digits: 4))",
            help: "remove it, or write it as an escape in double quotes")
    }

    /// Decodes a scalar of at least two bytes; nil for overlong forms, surrogates and incomplete sequences.
    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
        let first = bytes[index]
        let (length, smallest): (Int, UInt32)
        switch first {
        case 0xC2...0xDF: (length, smallest) = (2, 0x80)
        case 0xE0...0xEF: (length, smallest) = (3, 0x800)
        case 0xF0...0xF4: (length, smallest) = (4, 0x10000)
        default: return nil
        }
        guard index + length <= bytes.count else { return nil }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for next in bytes[(index + 1)..<(index + length)] {
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        guard value >= smallest, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else { return nil }
        return (value, length)
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
