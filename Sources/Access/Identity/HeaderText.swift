/// What may stand in a header value that we write.
enum HeaderText {
    /// True where a control character starts: C0 (HTAB too), DEL, and C1 as UTF-8 (`C2 80` to `C2 9F`).
    static func isControl(_ bytes: [UInt8], at index: Int) -> Bool {
        let byte = bytes[index]
        if byte < 0x20 || byte == 0x7F { return true }
        return byte == 0xC2 && index + 1 < bytes.count && bytes[index + 1] < 0xA0
    }

    static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    /// True when white space starts or ends the text. Receivers trim field values (RFC 9110 section 5.5), some of them Unicode
    /// white space too: ` alice` would arrive as somebody else's name.
    static func hasOuterWhiteSpace(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        return first.properties.isWhitespace || last.properties.isWhitespace
    }
}
