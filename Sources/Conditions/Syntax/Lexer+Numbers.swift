extension Lexer {
    /// An integer, decimal or hexadecimal, with or without the suffix `u`; or a double.
    mutating func number() throws(ConditionProblem) -> Token.Kind {
        let start = mark
        let kind = peek() == UInt8(ascii: "0") && peek(1) | 0x20 == UInt8(ascii: "x") ? try hexadecimal() : try decimal()
        if peek().isIdentifierStart || peek().isDigit {
            while peek().isIdentifierStart || peek().isDigit { advance() }
            throw ConditionProblem("not a number", at: range(from: start))
        }
        return kind
    }

    private mutating func hexadecimal() throws(ConditionProblem) -> Token.Kind {
        let start = mark
        advance(2)
        let digits = index
        var value: UInt64 = 0
        var isTooLarge = false
        while let digit = peek().hexValue {
            if value >> 60 != 0 { isTooLarge = true }
            value = value << 4 | UInt64(digit)
            advance()
        }
        guard index > digits else { throw ConditionProblem("a hexadecimal number needs digits", at: range(from: start)) }
        return try integer(isTooLarge ? nil : value, from: start)
    }

    private mutating func decimal() throws(ConditionProblem) -> Token.Kind {
        let start = mark
        var value: UInt64? = 0
        while peek().isDigit {
            value = value.flatMap { Self.appending(peek() - UInt8(ascii: "0"), to: $0) }
            advance()
        }
        var isDouble = false
        if peek() == UInt8(ascii: "."), peek(1).isDigit {
            isDouble = true
            advance()
            while peek().isDigit { advance() }
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
            if peek(1 + sign).isDigit {
                isDouble = true
                advance(1 + sign)
                while peek().isDigit { advance() }
            }
        }
        guard isDouble else { return try integer(value, from: start) }
        let text = String(decoding: bytes[start.utf8..<index], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw ConditionProblem("the number is too large for double", at: range(from: start))
        }
        return .double(number)
    }

    private static func appending(_ digit: UInt8, to value: UInt64) -> UInt64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        return overflow || carry ? nil : sum
    }

    private mutating func integer(_ value: UInt64?, from start: Mark) throws(ConditionProblem) -> Token.Kind {
        let isUnsigned = peek() | 0x20 == UInt8(ascii: "u")
        if isUnsigned { advance() }
        guard let value else {
            throw ConditionProblem("the number is too large for \(isUnsigned ? "uint" : "int")", at: range(from: start))
        }
        return isUnsigned ? .uint(value) : .int(value)
    }
}
