/// Parses a regular expression in RE2's syntax.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var index = 0
    var flags = Flags()
    private var depth = 0

    struct Flags {
        var ignoresCase = false
        var isMultiline = false
        var dotMatchesNewline = false
    }

    static let depthLimit = 50

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    func problem(_ message: String, at offset: Int? = nil) -> Pattern.Problem {
        Pattern.Problem(message: message, offset: offset ?? index)
    }

    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        index += 1
        return true
    }

    mutating func parse() throws(Pattern.Problem) -> PatternNode {
        let node = try choice()
        guard index == scalars.count else { throw problem("unexpected ')'") }
        return node
    }

    private mutating func choice() throws(Pattern.Problem) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw problem("the pattern is nested deeper than \(Self.depthLimit) groups") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return try checked(branches.count == 1 ? branches[0] : .choice(branches), at: index)
    }

    private func checked(_ node: PatternNode, at offset: Int) throws(Pattern.Problem) -> PatternNode {
        guard node.size <= Pattern.sizeLimit else { throw problem("the pattern needs more than \(Pattern.sizeLimit) steps", at: offset) }
        return node
    }

    private mutating func sequence() throws(Pattern.Problem) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = peek(), scalar != "|", scalar != ")" {
            let start = index
            if take("\\"), peek() == "Q" {
                index += 1
                nodes.append(contentsOf: quotation())
                continue
            }
            index = start
            guard let atom = try atom() else { continue }
            nodes.append(try repetitions(of: atom, from: start))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    /// The text up to `\E`, or to the end.
    private mutating func quotation() -> [PatternNode] {
        var nodes: [PatternNode] = []
        while let scalar = peek() {
            if scalar == "\\", peek(1) == "E" {
                index += 2
                break
            }
            nodes.append(.scalar(scalar, folds: flags.ignoresCase))
            index += 1
        }
        return nodes
    }

    // MARK: Repetition

    private mutating func repetitions(of atom: PatternNode, from start: Int) throws(Pattern.Problem) -> PatternNode {
        guard let (minimum, maximum) = try repetition() else { return atom }
        _ = take("?")
        let operation = index
        if try repetition() != nil { throw problem("two repetitions in a row", at: operation) }
        return try checked(.repetition(atom, minimum: minimum, maximum: maximum), at: start)
    }

    private mutating func repetition() throws(Pattern.Problem) -> (minimum: Int, maximum: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        return try counts()
    }

    /// `{n}`, `{n,}` or `{n,m}`; nil for other text, which stands for itself.
    private mutating func counts() throws(Pattern.Problem) -> (minimum: Int, maximum: Int?)? {
        let start = index
        guard take("{"), let minimum = number() else {
            index = start
            return nil
        }
        var maximum: Int? = minimum
        if take(",") { maximum = number() }
        guard take("}") else {
            index = start
            return nil
        }
        guard minimum <= 1_000, maximum ?? 0 <= 1_000, maximum ?? minimum >= minimum else {
            throw problem("a repetition counts to 1,000 at most, from the lower to the higher number", at: start)
        }
        return (minimum, maximum)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = peek(), ("0"..."9").contains(scalar) {
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), 100_000)
            index += 1
        }
        return value
    }

    // MARK: Atoms

    /// One part; nil for a group that only sets flags.
    private mutating func atom() throws(Pattern.Problem) -> PatternNode? {
        guard let scalar = peek() else { return nil }
        let start = index
        switch scalar {
        case "(": return try group()
        case "[": return try .set(characterClass())
        case "\\": return try escape()
        case "*", "+", "?": throw problem("a repetition of nothing")
        case "{":
            if try counts() != nil { throw problem("a repetition of nothing", at: start) }
        default: break
        }
        index += 1
        switch scalar {
        case ".": return flags.dotMatchesNewline ? .any : .anyButNewline
        case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
        default: return .scalar(scalar, folds: flags.ignoresCase)
        }
    }

    private mutating func group() throws(Pattern.Problem) -> PatternNode? {
        let start = index
        index += 1
        let outer = flags
        if take("?") {
            if take("P") || peek() == "<" {
                try groupName(from: start)
            } else if try !groupFlags(from: start) {
                return nil
            }
        }
        let node = try choice()
        guard take(")") else { throw problem("missing ')'", at: start) }
        flags = outer
        return node
    }

    private mutating func groupName(from start: Int) throws(Pattern.Problem) {
        guard take("<"), peek() != "=", peek() != "!" else { throw problem("RE2's syntax has no such group", at: start) }
        let name = index
        while let scalar = peek(), scalar.isASCII, UInt8(scalar.value).isIdentifierStart || UInt8(scalar.value).isDigit { index += 1 }
        guard index > name, take(">") else { throw problem("a group's name consists of letters, digits and '_'", at: name) }
    }

    /// Reads flags up to `:` or `)`; false for `)`, where the flags hold up to the end of the group around.
    private mutating func groupFlags(from start: Int) throws(Pattern.Problem) -> Bool {
        var isOn = true
        while let scalar = peek() {
            index += 1
            switch scalar {
            case "i": flags.ignoresCase = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.dotMatchesNewline = isOn
            // Greediness does not change whether a text matches.
            case "U": break
            case "-" where isOn: isOn = false
            case ":": return true
            case ")": return false
            default: throw problem("RE2's syntax has no such group", at: start)
            }
        }
        throw problem("missing ')'", at: start)
    }
}
