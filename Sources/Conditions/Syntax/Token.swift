/// A token of an expression.
struct Token {
    enum Kind {
        case identifier(String)
        /// A name in backticks, which selects a field only.
        case quoted(String)
        /// The magnitude of an `int`: the parser applies the sign.
        case int(UInt64)
        case uint(UInt64)
        case double(Double)
        case string(String)
        case bytes([UInt8])
        case symbol(Symbol)
        case end
    }

    let kind: Kind
    let range: ConditionRange

    var symbol: Symbol? {
        if case .symbol(let symbol) = kind { symbol } else { nil }
    }

    /// The token as a message names it.
    var name: String {
        switch kind {
        case .identifier(let name): "'\(name)'"
        case .quoted(let name): "'`\(name)`'"
        case .int, .uint, .double: "number"
        case .string: "string"
        case .bytes: "bytes literal"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .end: "end of the expression"
        }
    }
}

enum Symbol: String {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case dot = "."
    case comma = ","
    case colon = ":"
    case question = "?"
    case or = "||"
    case and = "&&"
    case not = "!"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
    case membership = "in"
}

/// The words that no variable and no function may have as its name.
enum ReservedWord {
    static let all: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return",
        "var", "void", "while",
    ]
}
