/// Parses an expression. Nesting of the text is bounded, so the parser's own recursion is too.
struct Parser {
    private let tokens: [Token]
    private(set) var index = 0
    private var nesting = 0
    let limits: ConditionLimits
    var tree = SyntaxTree()

    typealias ID = SyntaxTree.ID

    static func tree(of text: String, limits: ConditionLimits) throws(ConditionProblem) -> SyntaxTree {
        guard text.utf8.count <= limits.bytes else {
            let end = Self.prefix(of: text, bytes: limits.bytes)
            let range = ConditionRange(utf8: end.utf8..<text.utf8.count, scalars: end.scalars..<text.unicodeScalars.count)
            throw ConditionProblem("the expression is longer than \(limits.bytes) bytes", at: range)
        }
        var parser = Parser(tokens: try Lexer.tokens(of: text), limits: limits)
        parser.tree.root = try parser.expression()
        guard case .end = parser.token.kind else { throw parser.unexpected() }
        return parser.tree
    }

    /// The last position between two scalars that is at most `bytes` bytes from the start.
    private static func prefix(of text: String, bytes: Int) -> Lexer.Mark {
        var utf8 = 0
        var scalars = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            if utf8 + width > bytes { break }
            utf8 += width
            scalars += 1
        }
        return Lexer.Mark(utf8: utf8, scalars: scalars)
    }

    private init(tokens: [Token], limits: ConditionLimits) {
        self.tokens = tokens
        self.limits = limits
    }

    // MARK: Tokens

    var token: Token { tokens[index] }
    /// The last token that was taken.
    var previous: Token { tokens[max(index - 1, 0)] }

    func peek(_ offset: Int) -> Token { tokens[min(index + offset, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func take(_ symbol: Symbol) -> Bool {
        guard token.symbol == symbol else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Symbol) throws(ConditionProblem) {
        guard take(symbol) else { throw unexpected(expected: "'\(symbol.rawValue)'") }
    }

    func unexpected(expected: String? = nil) -> ConditionProblem {
        ConditionProblem("unexpected \(token.name)" + (expected.map { "; expected \($0)" } ?? ""), at: token.range)
    }

    mutating func add(_ kind: SyntaxTree.Kind, from start: ConditionRange, anchor: ConditionRange? = nil) throws(ConditionProblem) -> ID {
        try tree.append(kind, start.through(previous.range), anchor: anchor, limits: limits)
    }

    // MARK: Operators

    mutating func expression() throws(ConditionProblem) -> ID {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= limits.depth else {
            throw ConditionProblem("the expression is nested deeper than \(limits.depth) levels", at: token.range)
        }
        let start = token.range
        let condition = try logical(.or)
        guard token.symbol == .question else { return condition }
        let anchor = token.range
        advance()
        let first = try logical(.or)
        try expect(.colon)
        let second = try expression()
        return try add(.conditional(condition, first, second), from: start, anchor: anchor)
    }

    private mutating func logical(_ wanted: LogicalOperator) throws(ConditionProblem) -> ID {
        let symbol: Symbol = wanted == .or ? .or : .and
        let start = token.range
        var operands = [wanted == .or ? try logical(.and) : try binary(1)]
        let anchor = token.range
        while take(symbol) { operands.append(wanted == .or ? try logical(.and) : try binary(1)) }
        return operands.count == 1 ? operands[0] : try add(.logical(wanted, operands), from: start, anchor: anchor)
    }

    /// Operators that bind at least as tightly as `precedence`; all associate to the left.
    private mutating func binary(_ precedence: Int) throws(ConditionProblem) -> ID {
        let start = token.range
        var left = try unary()
        while let symbol = token.symbol, let operation = BinaryOperator(rawValue: symbol.rawValue), operation.precedence >= precedence {
            let anchor = token.range
            advance()
            let right = operation.precedence == 3 ? try unary() : try binary(operation.precedence + 1)
            left = try add(.binary(operation, left, right), from: start, anchor: anchor)
        }
        return left
    }

    private mutating func unary() throws(ConditionProblem) -> ID {
        guard let symbol = token.symbol, symbol == .not || symbol == .minus else { return try member() }
        var signs: [ConditionRange] = []
        while take(symbol) { signs.append(previous.range) }
        var operand: ID
        // The sign belongs to the literal, so that the smallest int can be written.
        if symbol == .minus, let last = signs.last, let value = negativeLiteral() {
            advance()
            signs.removeLast()
            let literal = try add(.literal(try value.get()), from: last)
            operand = try suffixes(of: literal, from: last)
        } else {
            operand = try member()
        }
        for sign in signs.reversed() {
            operand = try add(.unary(symbol == .not ? .not : .negate, operand), from: sign, anchor: sign)
        }
        return operand
    }

    private func negativeLiteral() -> Result<ConditionValue, ConditionProblem>? {
        switch token.kind {
        case .double(let value): .success(.double(-value))
        case .int(let magnitude):
            magnitude <= UInt64(Int64.max) + 1
                ? .success(.int(Int64(truncatingIfNeeded: 0 &- magnitude)))
                : .failure(ConditionProblem("the number is too large for int", at: token.range))
        default: nil
        }
    }
}
