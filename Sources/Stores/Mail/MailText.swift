import Glibc
import Primitives

/// The encodings of a mail: headers (RFC 2047), dates (RFC 5322), bodies (quoted-printable, RFC 2045 section 6.7).
enum MailText {
    /// The value of a header. Short printable ASCII stays; other texts become encoded words, on lines of at most 76 characters.
    static func unstructured(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && text.utf8.count <= 60 && !text.contains("=?") && !text.hasPrefix(" ")
        return isPlain ? text : encodedWords(text)
    }

    /// A name before an address.
    static func phrase(_ text: String) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), text.utf8.count <= 60, !text.contains("=?") else {
            return encodedWords(text)
        }
        let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }

    private static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var word: [UInt8] = []
        // 39 bytes are 52 characters: with `=?UTF-8?B?…?=` and the longest field name, no line has more than 76.
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > 39 {
                words.append(Base64.encode(word))
                word = []
            }
            word += bytes
        }
        words.append(Base64.encode(word))
        return words.map { "=?UTF-8?B?\($0)?=" }.joined(separator: "\r\n ")
    }

    /// RFC 5322 section 3.3, in UTC.
    static func date(_ unixSeconds: Int64) -> String {
        var seconds = time_t(unixSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year)) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) +0000"
    }

    /// A body as quoted-printable with CRLF. Control characters but tabs and line breaks become U+FFFD.
    static func quotedPrintable(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        var line: [UInt8] = []
        func endLine() {
            output += quotedPrintableLine(line) + [0x0D, 0x0A]
            line = []
        }
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\n", "\r": endLine()
            case "\t": line.append(0x09)
            default: line += Array((scalar.properties.generalCategory == .control ? "\u{FFFD}" : String(scalar)).utf8)
            }
            isAfterReturn = scalar == "\r"
        }
        if !line.isEmpty { endLine() }
        return output
    }

    /// One line as lines of at most 76 characters.
    private static func quotedPrintableLine(_ line: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        var length = 0
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let isBlank = byte == 0x20 || byte == 0x09
            let isLiteral = isBlank ? !isLast : byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "=")
            let symbol = isLiteral ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            // A soft line break takes one character itself.
            if length + symbol.count > (isLast ? 76 : 75) {
                output += [UInt8(ascii: "="), 0x0D, 0x0A]
                length = 0
            }
            output += symbol
            length += symbol.count
        }
        return output
    }
}
