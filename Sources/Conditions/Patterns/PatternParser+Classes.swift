extension PatternParser {
    // MARK: Escapes

    mutating func escape() throws(Pattern.Problem) -> PatternNode {
        let start = index
        guard let letter = peek(1) else { throw problem("a backslash at the end") }
        if let assertion = Self.assertions[letter] {
            index += 2
            return .assertion(assertion)
        }
        if let set = try escapedSet() { return .set(set) }
        index = start
        return .scalar(try escapedScalar(), folds: flags.ignoresCase)
    }

    private static let assertions: [Unicode.Scalar: PatternAssertion] = [
        "A": .textStart, "z": .textEnd, "b": .wordBoundary, "B": .noWordBoundary,
    ]

    /// `\d`, `\pL`, `\p{Greek}` and the like; nil when the escape stands for a scalar.
    private mutating func escapedSet() throws(Pattern.Problem) -> ScalarSet? {
        guard let letter = peek(1) else { return nil }
        if let set = ScalarSet.perl(letter) {
            index += 2
            return set
        }
        guard letter == "p" || letter == "P" else { return nil }
        let start = index
        index += 2
        var isNegated = letter == "P"
        var name = ""
        if take("{") {
            if take("^") { isNegated.toggle() }
            while let scalar = peek(), scalar != "}" {
                name.unicodeScalars.append(scalar)
                index += 1
            }
            guard take("}") else { throw problem("missing '}'", at: start) }
        } else if let scalar = peek() {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard let item = ScalarSet.unicode(name) else { throw problem("unknown class of characters", at: start) }
        return ScalarSet([item], isNegated: isNegated, folds: flags.ignoresCase)
    }

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{7}", "f": "\u{C}", "t": "\t", "n": "\n", "r": "\r", "v": "\u{B}",
    ]

    private mutating func escapedScalar() throws(Pattern.Problem) -> Unicode.Scalar {
        let start = index
        index += 1
        guard let letter = peek() else { throw problem("a backslash at the end", at: start) }
        index += 1
        if let control = Self.controls[letter] { return control }
        switch letter {
        case "x": return try hexadecimal(from: start)
        case "0": return octal(0)
        case "1"..."7":
            guard let next = peek(), ("0"..."7").contains(next) else { throw problem("RE2's syntax has no back-references", at: start) }
            return octal(letter.value - 48)
        default:
            guard letter.isASCII, !UInt8(letter.value).isIdentifierStart || letter == "_", !UInt8(letter.value).isDigit else {
                throw problem("no escape sequence", at: start)
            }
            return letter
        }
    }

    private mutating func octal(_ first: UInt32) -> Unicode.Scalar {
        var value = first
        for _ in 0..<2 {
            guard let scalar = peek(), ("0"..."7").contains(scalar) else { break }
            value = value * 8 + scalar.value - 48
            index += 1
        }
        return Unicode.Scalar(value) ?? "\0"
    }

    private mutating func hexadecimal(from start: Int) throws(Pattern.Problem) -> Unicode.Scalar {
        var value: UInt32 = 0
        let isBraced = take("{")
        let digits = index
        while let scalar = peek(), scalar.isASCII, let digit = UInt8(scalar.value).hexValue, index - digits < (isBraced ? 8 : 2) {
            value = value << 4 | UInt32(digit)
            index += 1
        }
        guard isBraced ? index > digits && take("}") : index == digits + 2, let scalar = Unicode.Scalar(value) else {
            throw problem("no character's number", at: start)
        }
        return scalar
    }

    // MARK: Classes

    mutating func characterClass() throws(Pattern.Problem) -> ScalarSet {
        let start = index
        index += 1
        let isNegated = take("^")
        var items: [ScalarSet.Item] = []
        var isFirst = true
        while isFirst || peek() != "]" {
            guard peek() != nil else { throw problem("missing ']'", at: start) }
            isFirst = false
            if let named = try posixClass() {
                items.append(named)
            } else if peek() == "\\", let set = try escapedSet() {
                items.append(.set(set))
            } else {
                items.append(try range())
            }
        }
        index += 1
        return ScalarSet(items, isNegated: isNegated, folds: flags.ignoresCase)
    }

    /// `[:alpha:]` or `[:^alpha:]`.
    private mutating func posixClass() throws(Pattern.Problem) -> ScalarSet.Item? {
        let start = index
        guard peek() == "[", peek(1) == ":" else { return nil }
        index += 2
        let isNegated = take("^")
        var name = ""
        while let scalar = peek(), scalar.isASCII, UInt8(scalar.value).isIdentifierStart {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard take(":"), take("]") else {
            index = start
            return nil
        }
        guard let items = ScalarSet.posix(name) else { throw problem("unknown class of characters", at: start) }
        return .set(ScalarSet(items, isNegated: isNegated))
    }

    private mutating func range() throws(Pattern.Problem) -> ScalarSet.Item {
        let start = index
        let first = try classScalar()
        guard peek() == "-", let next = peek(1), next != "]" else { return ScalarSet.range(first, first) }
        index += 1
        let last = try classScalar()
        guard first.value <= last.value else { throw problem("a range from a higher to a lower character", at: start) }
        return ScalarSet.range(first, last)
    }

    private mutating func classScalar() throws(Pattern.Problem) -> Unicode.Scalar {
        guard let scalar = peek() else { throw problem("missing ']'") }
        if scalar == "\\" { return try escapedScalar() }
        index += 1
        return scalar
    }
}
