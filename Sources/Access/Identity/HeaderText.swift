/// Checks of header values that the gateway writes.
enum HeaderText {
    /// Returns whether a control character starts here: C0 (including HTAB), DEL, or C1 as UTF-8 (`C2 80` to `C2 9F`).
    static func isControl(_ bytes: [UInt8], at index: Int) -> Bool {
        let byte = bytes[index]
        if byte < 0x20 || byte == 0x7F { return true }
        return byte == 0xC2 && index + 1 < bytes.count && bytes[index + 1] < 0xA0
    }

    static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    /// Returns whether the text starts or ends with white space. Receivers trim field values (RFC 9110 section 5.5), some also of
    /// Unicode white space: ` alice` would arrive as another user's name.
    static func hasOuterWhiteSpace(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        return first.properties.isWhitespace || last.properties.isWhitespace
    }
}
