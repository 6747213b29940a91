import Diagnostics

/// A syntax error of libyaml, before it is translated into a finding.
struct SyntaxProblem: Error {
    var problem: String
    var context: String?
    var offset: Int
    var contextOffset: Int?

    /// The finding, which names what to look for in the file instead of libyaml's terms.
    func diagnostic(in source: SourceFile) -> Diagnostic {
        let byte = offset < source.bytes.count ? source.bytes[offset] : nil
        let here = Self.token(at: offset, in: source)
        if let reference = unquotedReference(in: source) { return reference }
        switch problem {
        case "found character that cannot start any token":
            if byte == 0x09 { return Self.tab(here) }
            let character = source.text(of: here)
            return Diagnostic(
                .yamlSyntax, at: here, "an unquoted value cannot start with `\(character)`", label: "not allowed here",
                help: "put the value in quotes: \"\(character)…\"")
        case "found a tab character that violates indentation", "found a tab character where an indentation space is expected",
            "found a tab character that violates indentation spaces":
            return Self.tab(here)
        case "mapping values are not allowed in this context":
            return Diagnostic(
                .yamlSyntax, at: here, "a `key: value` cannot start here", label: "unexpected `:`",
                help: "check the indentation of this line and the one above; put a value that contains `: ` in quotes")
        case "could not find expected ':'":
            let start = Self.token(at: contextOffset ?? offset, in: source)
            return Diagnostic(
                .yamlSyntax, at: start, "this is neither `key: value` nor a list item", label: "no `:` follows",
                help: "write `key: value`, or indent the line if it continues the one above")
        case "found unexpected end of stream":
            let start = Self.token(at: contextOffset ?? offset, in: source)
            return Diagnostic(
                .yamlSyntax, at: start, "the quoted text that starts here has no end", label: "no closing quote",
                help: "add the closing quote")
        case "did not find expected ',' or ']'": return unclosed("list", "[", "]", here)
        case "did not find expected ',' or '}'": return unclosed("mapping", "{", "}", here)
        case "did not find expected key", "did not find expected '-' indicator", "did not find expected <block end>":
            if let comma = TrailingComma.finding(at: offset, in: source) { return comma }
            return Diagnostic(
                .yamlSyntax, at: here, "this line does not match the indentation around it", label: "unexpected here",
                help: "use the same number of spaces as the other keys or items", related: opening("the block that it interrupts"))
        case "block sequence entries are not allowed in this context":
            return Diagnostic(
                .yamlSyntax, at: here, "a list item cannot start here", label: "unexpected `-`",
                help: "write the list on the lines below its key, each item after `- `")
        case "did not find expected alphabetic or numeric character":
            let start = contextOffset ?? offset
            let isAlias = start < source.bytes.count && source.bytes[start] == UInt8(ascii: "*")
            return Diagnostic(
                .yamlSyntax, at: SourceSpan(start: start, end: start + 1),
                isAlias ? "an unquoted value cannot start with `*`" : "an unquoted value cannot start with `&`",
                label: isAlias ? "YAML reads this as an alias" : "YAML reads this as an anchor",
                help: isAlias ? "put the value in quotes: \"*…\"" : "put the value in quotes: \"&…\"")
        case "found unknown escape character", "did not find expected hexdecimal number", "found invalid Unicode character escape code":
            return Diagnostic(
                .yamlSyntax, at: here, "this escape sequence does not exist", label: "unknown escape",
                help: "in double quotes, write a backslash as `\\\\`; in single quotes, it needs no escape")
        case "did not find expected <document start>":
            if let comma = TrailingComma.finding(at: offset, in: source) { return comma }
            return Diagnostic(
                .yamlSyntax, at: here, "text follows the end of the document", label: "unexpected here",
                help: "a configuration is one YAML mapping; check the indentation of this line")
        case "did not find expected node content":
            return Diagnostic(
                .yamlSyntax, at: here, "a value is missing here", label: "expected a value",
                help: "remove the extra comma, or add the value"
            )
        default:
            return Diagnostic(
                .yamlSyntax, at: here, "this is not valid YAML: \(problem.isEmpty ? "it cannot be read" : problem)",
                help: "check the quotes, brackets and indentation on this line and the one above")
        }
    }

    /// Explains `[${env:NAME}]`: in a flow collection, the brace of an unquoted reference opens a mapping.
    private func unquotedReference(in source: SourceFile) -> Diagnostic? {
        guard problem.hasPrefix("did not find expected ',' or"), offset > 0, offset < source.bytes.count else { return nil }
        guard source.bytes[offset] == UInt8(ascii: "{"), source.bytes[offset - 1] == UInt8(ascii: "$") else { return nil }
        return Diagnostic(
            .yamlSyntax, at: SourceSpan(start: offset - 1, end: offset + 1), "a reference between brackets or braces needs quotes",
            label: "YAML reads `{` as a mapping", help: "put the whole value in quotes: \"${…}\"")
    }

    private static func tab(_ span: SourceSpan) -> Diagnostic {
        Diagnostic(
            .yamlSyntax, at: SourceSpan(start: span.start, end: span.start + 1), "a tab is used for indentation", label: "a tab",
            help: "indent with spaces; YAML does not allow tabs")
    }

    private func unclosed(_ what: String, _ open: String, _ close: String, _ here: SourceSpan) -> Diagnostic {
        Diagnostic(
            .yamlSyntax, at: here, "this \(what) is not closed: `,` or `\(close)` is missing here",
            label: "expected `,` or `\(close)`",
            help: "add the missing `\(close)`", related: opening("the `\(open)` that is not closed"))
    }

    private func opening(_ message: String) -> [RelatedPlace] {
        contextOffset.map { [RelatedPlace(message, at: SourceSpan(start: $0, end: $0 + 1))] } ?? []
    }

    /// The scalar at an offset; nothing at the end of a line.
    private static func token(at offset: Int, in source: SourceFile) -> SourceSpan {
        var end = offset
        if end < source.bytes.count, source.bytes[end] != 0x0A, source.bytes[end] != 0x0D {
            end += 1
            while end < source.bytes.count, source.bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        return SourceSpan(start: offset, end: end)
    }
}
