/// Splits the text of an expression into tokens.
struct Lexer {
    let bytes: [UInt8]
    /// The next byte.
    var index = 0
    /// The number of Unicode scalars before `index`.
    private(set) var scalars = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    static func tokens(of text: String) throws(ConditionProblem) -> [Token] {
        var lexer = Lexer(text)
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if case .end = token.kind { return tokens }
        }
    }

    /// The byte `offset` after the next one; 0, which starts no token, behind the end.
    func peek(_ offset: Int = 0) -> UInt8 {
        index + offset < bytes.count ? bytes[index + offset] : 0
    }

    var isAtEnd: Bool { index >= bytes.count }

    mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            // Continuation bytes belong to the scalar that is counted already.
            if bytes[index] & 0xC0 != 0x80 { scalars += 1 }
            index += 1
        }
    }

    /// Goes on to the first byte of the next scalar.
    mutating func advanceScalar() {
        advance()
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { advance() }
    }

    func range(from start: Mark) -> ConditionRange {
        ConditionRange(utf8: start.utf8..<index, scalars: start.scalars..<scalars)
    }

    /// A position in the text.
    struct Mark {
        let utf8: Int
        let scalars: Int
    }

    var mark: Mark { Mark(utf8: index, scalars: scalars) }

    private mutating func skipBlanks() {
        while !isAtEnd {
            switch peek() {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20: advance()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while !isAtEnd, peek() != 0x0A { advance() }
            default: return
            }
        }
    }

    private mutating func next() throws(ConditionProblem) -> Token {
        skipBlanks()
        let start = mark
        guard !isAtEnd else { return Token(kind: .end, range: range(from: start)) }
        let kind = try kind()
        return Token(kind: kind, range: range(from: start))
    }

    private mutating func kind() throws(ConditionProblem) -> Token.Kind {
        let byte = peek()
        if byte.isDigit || byte == UInt8(ascii: ".") && peek(1).isDigit { return try number() }
        if let literal = try stringLiteral() { return literal }
        if byte.isIdentifierStart { return word() }
        if byte == UInt8(ascii: "`") { return try quotedName() }
        return .symbol(try symbol())
    }

    private mutating func word() -> Token.Kind {
        let start = index
        while peek().isIdentifierStart || peek().isDigit { advance() }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return text == "in" ? .symbol(.membership) : .identifier(text)
    }

    /// A field's name in backticks: letters, digits, and some punctuation.
    private mutating func quotedName() throws(ConditionProblem) -> Token.Kind {
        let opening = mark
        advance()
        let start = index
        while peek().isIdentifierStart || peek().isDigit || [0x2D, 0x2E, 0x2F, 0x20].contains(peek()) { advance() }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        guard peek() == UInt8(ascii: "`"), !name.isEmpty else {
            throw ConditionProblem(
                "a name in backticks contains letters, digits, '_', '-', '.', '/' and spaces only, and ends with a backtick",
                at: range(from: opening))
        }
        advance()
        return .quoted(name)
    }

    private mutating func symbol() throws(ConditionProblem) -> Symbol {
        let start = mark
        let first = bytes[index]
        if first < 0x80, index + 1 < bytes.count, bytes[index + 1] < 0x80 {
            let pair = String(decoding: bytes[index...(index + 1)], as: UTF8.self)
            if let symbol = Symbol(rawValue: pair), symbol != .membership {
                advance(2)
                return symbol
            }
        }
        advanceScalar()
        let text = String(decoding: bytes[start.utf8..<index], as: UTF8.self)
        if let symbol = Symbol(rawValue: text) { return symbol }
        let message =
            switch text {
            case "=": "'=' is no operator; write '==' to compare"
            case "&": "'&' is no operator; write '&&'"
            case "|": "'|' is no operator; write '||'"
            default: "unexpected character \(ConditionValue.string(text))"
            }
        throw ConditionProblem(message, at: range(from: start))
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isIdentifierStart: Bool {
        self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") || self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z")
            || self == UInt8(ascii: "_")
    }

    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
