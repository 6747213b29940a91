/// Writes YAML in block style, with a comment after each value.
enum YAMLPrinter {
    struct Entry {
        var key: String
        var value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    indirect enum Value {
        /// Text that is already YAML, and its origin.
        case scalar(String, origin: String)
        case sequence([Value], emptyOrigin: String = "default")
        case mapping([Entry], emptyOrigin: String = "default")

        /// Returns the first value, with those entries and items of the second that it lacks.
        static func merged(_ upper: Value?, under lower: Value?) -> Value? {
            guard let upper else { return lower }
            switch (upper, lower) {
            case (.mapping(let above, let origin), .mapping(let below, _)):
                let names = Set(above.map { $0.key.lowercased() })
                return .mapping(above + below.filter { !names.contains($0.key.lowercased()) }, emptyOrigin: origin)
            case (.sequence(let above, let origin), .sequence(let below, _)):
                let texts = Set(above.compactMap(\.text))
                return .sequence(below.filter { $0.text.map { !texts.contains($0) } ?? true } + above, emptyOrigin: origin)
            default: return upper
            }
        }

        private var text: String? {
            if case .scalar(let text, _) = self { text } else { nil }
        }
    }

    static func text(of value: Value) -> String {
        lines(of: value, indent: 0).map { line in
            guard let comment = line.comment else { return line.text + "\n" }
            let padding = String(repeating: " ", count: max(2, column - line.text.unicodeScalars.count))
            return line.text + padding + "# " + sanitized(comment) + "\n"
        }.joined()
    }

    /// The column of the comments.
    private static let column = 56

    private struct Line {
        var text: String
        var comment: String?
    }

    private static func lines(of value: Value, indent: Int) -> [Line] {
        let space = String(repeating: " ", count: indent)
        switch value {
        case .scalar(let text, let origin): return [Line(text: space + text, comment: origin)]
        case .sequence(let items, let origin):
            if items.isEmpty { return [Line(text: space + "[]", comment: origin)] }
            return items.flatMap { item in
                var lines = lines(of: item, indent: indent + 2)
                lines[0].text = space + "- " + lines[0].text.dropFirst(indent + 2)
                return lines
            }
        case .mapping(let entries, let origin):
            if entries.isEmpty { return [Line(text: space + "{}", comment: origin)] }
            return entries.flatMap { entry in
                let key = space + scalar(entry.key) + ":"
                let inner = lines(of: entry.value, indent: indent + 2)
                if isOneLine(entry.value) {
                    return [Line(text: key + " " + inner[0].text.dropFirst(indent + 2), comment: inner[0].comment)]
                }
                return [Line(text: key)] + inner
            }
        }
    }

    private static func isOneLine(_ value: Value) -> Bool {
        switch value {
        case .scalar: true
        case .sequence(let items, _): items.isEmpty
        case .mapping(let entries, _): entries.isEmpty
        }
    }

    /// Returns a plain scalar if YAML 1.1 and 1.2 read it as the same string, otherwise one in double quotes.
    static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    private static func isPlain(_ text: String) -> Bool {
        func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        guard let first = text.utf8.first, isWord(first) || first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: ":") else {
            return false
        }
        guard text.utf8.allSatisfy({ isWord($0) || "._/:@+=*-".utf8.contains($0) }) else { return false }
        // Numbers, times and dates of YAML 1.1 begin with a digit and contain only these characters.
        let isNumberLike =
            text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            && text.utf8.allSatisfy { "0123456789.:_+-eExXoOabcdefABCDEFtTzZ".utf8.contains($0) }
            && !(text.contains(":") && text.utf8.filter { $0 == UInt8(ascii: ".") }.count == 3)
        let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return !isNumberLike && !words.contains(text.lowercased())
    }

    /// The text in double quotes, which YAML reads as JSON does.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                if isHidden(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    result += (scalar.value > 0xFFFF ? "\\U" : "\\u")
                    result += String(repeating: "0", count: (scalar.value > 0xFFFF ? 8 : 4) - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    /// Removes control characters: a file name may contain a line break, and a comment is one line.
    private static func sanitized(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isHidden($0) ? "\u{FFFD}" : $0 }))
    }
}
