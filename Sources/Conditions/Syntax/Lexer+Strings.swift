extension Lexer {
    /// A string or bytes literal; nil when none starts here.
    mutating func stringLiteral() throws(ConditionProblem) -> Token.Kind? {
        var prefix = 0
        let isBytes = peek() | 0x20 == UInt8(ascii: "b")
        if isBytes { prefix = 1 }
        let isRaw = peek(prefix) | 0x20 == UInt8(ascii: "r")
        if isRaw { prefix += 1 }
        let quote = peek(prefix)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let start = mark
        advance(prefix)
        let isTripled = peek(1) == quote && peek(2) == quote
        advance(isTripled ? 3 : 1)
        var content: [UInt8] = []
        while !closes(quote, isTripled: isTripled) {
            guard !isAtEnd, isTripled || peek() != 0x0A && peek() != 0x0D else {
                throw ConditionProblem("the string is not closed", at: range(from: start))
            }
            if peek() == UInt8(ascii: "\\"), !isRaw {
                try escape(isBytes: isBytes, into: &content)
            } else {
                content.append(peek())
                advance()
            }
        }
        advance(isTripled ? 3 : 1)
        return isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
    }

    private func closes(_ quote: UInt8, isTripled: Bool) -> Bool {
        peek() == quote && (!isTripled || peek(1) == quote && peek(2) == quote)
    }

    private mutating func escape(isBytes: Bool, into content: inout [UInt8]) throws(ConditionProblem) {
        let start = mark
        advance()
        let letter = peek()
        switch letter {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): try code(digits: 2, start, isByte: isBytes, into: &content)
        case UInt8(ascii: "u") where !isBytes: try code(digits: 4, start, isByte: false, into: &content)
        case UInt8(ascii: "U") where !isBytes: try code(digits: 8, start, isByte: false, into: &content)
        case UInt8(ascii: "0")...UInt8(ascii: "3"): try octal(start, isByte: isBytes, into: &content)
        default:
            guard let byte = Self.escapes[letter] else {
                if !isAtEnd { advanceScalar() }
                let hint = isBytes && letter | 0x20 == UInt8(ascii: "u") ? "; bytes are written as \\x and two digits" : ""
                throw ConditionProblem("no escape sequence\(hint)", at: range(from: start))
            }
            content.append(byte)
            advance()
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
        UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11, UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "?"): UInt8(ascii: "?"),
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "`"): UInt8(ascii: "`"),
    ]

    private mutating func code(digits: Int, _ start: Mark, isByte: Bool, into content: inout [UInt8]) throws(ConditionProblem) {
        advance()
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = peek().hexValue else {
                throw ConditionProblem("the escape sequence needs \(digits) hexadecimal digits", at: range(from: start))
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        try append(value, start, isByte: isByte, into: &content)
    }

    private mutating func octal(_ start: Mark, isByte: Bool, into content: inout [UInt8]) throws(ConditionProblem) {
        var value: UInt32 = 0
        for _ in 0..<3 {
            guard peek() >= UInt8(ascii: "0"), peek() <= UInt8(ascii: "7") else {
                throw ConditionProblem("the escape sequence needs three octal digits, at most \\377", at: range(from: start))
            }
            value = value << 3 | UInt32(peek() - UInt8(ascii: "0"))
            advance()
        }
        try append(value, start, isByte: isByte, into: &content)
    }

    private func append(_ value: UInt32, _ start: Mark, isByte: Bool, into content: inout [UInt8]) throws(ConditionProblem) {
        if isByte {
            content.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = Unicode.Scalar(value) {
            content.append(contentsOf: Array(String(Character(scalar)).utf8))
        } else {
            throw ConditionProblem("the escape sequence is no Unicode character", at: range(from: start))
        }
    }
}
