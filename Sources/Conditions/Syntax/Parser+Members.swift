extension Parser {
    mutating func member() throws(ConditionProblem) -> ID {
        let start = token.range
        return try suffixes(of: try primary(), from: start)
    }

    /// Selections, method calls and indices behind `primary`.
    mutating func suffixes(of primary: ID, from start: ConditionRange) throws(ConditionProblem) -> ID {
        var operand = primary
        while true {
            if take(.dot) {
                let anchor = token.range
                let (name, isQuoted) = try selector()
                if !isQuoted, token.symbol == .leftParenthesis {
                    operand = try method(name, of: operand, from: start, anchor: anchor)
                } else {
                    operand = try add(.select(operand, name), from: start, anchor: anchor)
                }
            } else if token.symbol == .leftBracket {
                let anchor = token.range
                advance()
                let index = try expression()
                try expect(.rightBracket)
                operand = try add(.binary(.index, operand, index), from: start, anchor: anchor)
            } else if token.symbol == .leftBrace, let name = qualifiedName(of: operand) {
                operand = try message(name, from: start)
            } else {
                return operand
            }
        }
    }

    private mutating func selector() throws(ConditionProblem) -> (name: String, isQuoted: Bool) {
        switch token.kind {
        case .identifier(let name) where !["true", "false", "null"].contains(name):
            advance()
            return (name, false)
        case .quoted(let name):
            advance()
            return (name, true)
        default: throw unexpected(expected: "a field's name")
        }
    }

    /// The dotted name of `id`; nil unless it consists of names only.
    private func qualifiedName(of id: ID) -> String? {
        var parts: [String] = []
        var id = id
        while case .select(let operand, let field) = tree[id].kind {
            parts.append(field)
            id = operand
        }
        guard case .name(let name, let isRooted) = tree[id].kind else { return nil }
        parts.append((isRooted ? "." : "") + name)
        return parts.reversed().joined(separator: ".")
    }

    private mutating func primary() throws(ConditionProblem) -> ID {
        let start = token.range
        if let value = try literal() {
            advance()
            return try add(.literal(value), from: start)
        }
        switch token.kind {
        case .identifier, .symbol(.dot): return try nameOrCall()
        case .symbol(.leftParenthesis):
            advance()
            let inner = try expression()
            try expect(.rightParenthesis)
            return inner
        case .symbol(.leftBracket):
            advance()
            return try add(.list(try items(until: .rightBracket)), from: start)
        case .symbol(.leftBrace): return try map()
        default: throw unexpected(expected: "an expression")
        }
    }

    private func literal() throws(ConditionProblem) -> ConditionValue? {
        switch token.kind {
        case .identifier("true"): return .bool(true)
        case .identifier("false"): return .bool(false)
        case .identifier("null"): return .null
        case .int(let magnitude):
            guard let value = Int64(exactly: magnitude) else {
                throw ConditionProblem("the number is too large for int", at: token.range)
            }
            return .int(value)
        case .uint(let value): return .uint(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .bytes(let value): return .bytes(value)
        default: return nil
        }
    }

    private mutating func nameOrCall() throws(ConditionProblem) -> ID {
        let start = token.range
        let isRooted = take(.dot)
        let anchor = token.range
        guard case .identifier(let name) = token.kind, !["true", "false", "null"].contains(name) else {
            throw unexpected(expected: "a name")
        }
        guard !ReservedWord.all.contains(name) else {
            throw ConditionProblem("'\(name)' is reserved and cannot be a name", at: anchor)
        }
        advance()
        guard token.symbol == .leftParenthesis else { return try add(.name(name, isRooted: isRooted), from: start, anchor: anchor) }
        advance()
        let arguments = try items(until: .rightParenthesis, allowsTrailingComma: false)
        if name == "has", !isRooted {
            guard arguments.count == 1, case .select(let operand, let field) = tree[arguments[0]].kind else {
                throw ConditionProblem("has() takes one field, as in has(auth.email)", at: start.through(previous.range))
            }
            return try add(.has(operand, field), from: start, anchor: tree[arguments[0]].anchor)
        }
        return try add(.call((isRooted ? "." : "") + name, arguments), from: start, anchor: anchor)
    }

    /// Expressions between commas; takes the closing symbol too.
    private mutating func items(until end: Symbol, allowsTrailingComma: Bool = true) throws(ConditionProblem) -> [ID] {
        var items: [ID] = []
        while token.symbol != end {
            items.append(try expression())
            guard take(.comma) else { break }
            if token.symbol == end, !allowsTrailingComma { throw unexpected(expected: "an expression") }
        }
        guard take(end) else { throw unexpected(expected: "',' or '\(end.rawValue)'") }
        return items
    }

    private mutating func map() throws(ConditionProblem) -> ID {
        let start = token.range
        advance()
        var keys: [ID] = []
        var values: [ID] = []
        while token.symbol != .rightBrace {
            keys.append(try expression())
            try expect(.colon)
            values.append(try expression())
            guard take(.comma) else { break }
        }
        guard take(.rightBrace) else { throw unexpected(expected: "',' or '}'") }
        return try add(.map(keys, values), from: start)
    }

    private mutating func message(_ name: String, from start: ConditionRange) throws(ConditionProblem) -> ID {
        let anchor = start.through(previous.range)
        advance()
        var values: [ID] = []
        while token.symbol != .rightBrace {
            _ = try selector()
            try expect(.colon)
            values.append(try expression())
            guard take(.comma) else { break }
        }
        guard take(.rightBrace) else { throw unexpected(expected: "',' or '}'") }
        return try add(.message(name, values), from: start, anchor: anchor)
    }

    private mutating func method(
        _ name: String, of target: ID, from start: ConditionRange, anchor: ConditionRange
    ) throws(ConditionProblem) -> ID {
        advance()
        let arguments = try items(until: .rightParenthesis, allowsTrailingComma: false)
        guard let macro = SyntaxTree.Comprehension.Macro(rawValue: name),
            arguments.count == 2 || arguments.count == 3 && macro == .map
        else { return try add(.method(target, name, arguments), from: start, anchor: anchor) }
        guard case .name(let variable, isRooted: false) = tree[arguments[0]].kind else {
            throw ConditionProblem("the first argument of \(name)() is the name of a variable", at: tree[arguments[0]].range)
        }
        let comprehension = SyntaxTree.Comprehension(
            macro: macro, source: target, variable: variable,
            predicate: macro != .map ? arguments[1] : arguments.count == 3 ? arguments[1] : nil,
            transform: macro == .map ? arguments[arguments.count - 1] : nil)
        return try add(.comprehension(comprehension), from: start, anchor: anchor)
    }
}
