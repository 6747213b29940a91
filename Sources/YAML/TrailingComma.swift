package import Diagnostics

/// A comma behind a value: JSON and flow mappings separate values with it, block mappings with the end of the line.
package enum TrailingComma {
    /// The finding about an unquoted value whose last character is a comma, which YAML reads as a part of the value.
    package static func finding(_ node: Node, _ scalar: Node.Scalar, key: String) -> Diagnostic? {
        guard scalar.style == .plain, scalar.text.utf8.last == UInt8(ascii: ",") else { return nil }
        // The text of a plain scalar ends as its lines in the file do.
        let comma = SourceSpan(start: max(node.extent.start, node.extent.end - count(in: scalar.text)), end: node.extent.end)
        let isAlias = node.anchor != nil
        return Diagnostic(
            .trailingComma, at: isAlias ? node.span : comma, "the value of `\(key)` ends with a comma", label: "part of the value",
            help: "remove the comma, or put the value in quotes if the comma belongs to it", fix: isAlias ? nil : removal(of: comma))
    }

    /// The number of commas at the end of a text.
    package static func count(in text: String) -> Int { text.utf8.reversed().prefix { $0 == UInt8(ascii: ",") }.count }

    /// The finding about a comma that the parser cannot place; nil when the byte at `offset` is none.
    static func finding(at offset: Int, in source: SourceFile) -> Diagnostic? {
        guard offset < source.bytes.count, source.bytes[offset] == UInt8(ascii: ",") else { return nil }
        let comma = SourceSpan(start: offset, end: offset + 1)
        let rest = source.bytes[comma.end...].prefix { $0 != 0x0A && $0 != 0x0D }.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.isEmpty || rest.first == UInt8(ascii: "#") else {
            return Diagnostic(
                .yamlSyntax, at: comma, "a comma cannot separate values here", label: "unexpected `,`",
                help: "put several values between `[` and `]`, or each on a line of its own")
        }
        return Diagnostic(
            .trailingComma, at: comma, "a comma follows this value", label: "unexpected `,`",
            help: "remove the comma: outside brackets and braces, the end of the line ends a value", fix: removal(of: comma))
    }

    private static func removal(of comma: SourceSpan) -> Fix { Fix(safe: true, [Fix.Edit(replacing: comma, with: "")]) }
}
