import Diagnostics
import YAML

/// Reports unquoted parameter values that YAML does not read as strings.
enum NonString {
    static func finding(_ node: Node, _ scalar: Node.Scalar, _ key: String, in source: SourceFile) -> Diagnostic? {
        guard let kind = kind(of: scalar) else { return nil }
        let quoted = "\"\(scalar.text)\""
        let isEmpty = node.span.start == node.span.end
        // `{ prompt }` is a key without a colon: an inserted value would become part of the key.
        let canFix =
            node.anchor == nil && (!isEmpty || source.bytes[..<node.span.start].last { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ":"))
        return Diagnostic(
            .nonStringParameter, at: node.span, "the value of the parameter `\(key)` is \(kind), not a string", label: "not quoted",
            help: "write \(quoted)",
            fix: canFix ? Fix(safe: true, [Fix.Edit(replacing: node.span, with: isEmpty ? " " + quoted : quoted)]) : nil)
    }

    /// The type by the YAML 1.2 core schema, section 10.3.2; nil for a string.
    private static func kind(of scalar: Node.Scalar) -> String? {
        if scalar.isNull { return scalar.text.isEmpty ? "empty" : "null" }
        switch scalar.text {
        case "true", "True", "TRUE", "false", "False", "FALSE": return "a boolean"
        default: return isNumber(scalar.text) ? "a number" : nil
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        var rest = text[...]
        if rest.hasPrefix("0o") { return rest.count > 2 && rest.dropFirst(2).allSatisfy { "01234567".contains($0) } }
        if rest.hasPrefix("0x") { return rest.count > 2 && rest.dropFirst(2).allSatisfy(\.isHexDigit) }
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        if [".inf", ".Inf", ".INF"].contains(rest) || [".nan", ".NaN", ".NAN"].contains(text) { return true }
        func digits(_ text: inout Substring) -> Int {
            let run = text.prefix { ("0"..."9").contains($0) }
            text = text[run.endIndex...]
            return run.count
        }
        let whole = digits(&rest)
        var fraction = 0
        if rest.first == "." {
            rest = rest.dropFirst()
            fraction = digits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == "e" || rest.first == "E" {
            rest = rest.dropFirst()
            if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }
}
