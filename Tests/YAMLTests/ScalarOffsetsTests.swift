import Diagnostics
import Testing

@testable import YAML

@Suite struct ScalarOffsetsTests {
    /// Where the character `@` of the value's text is in the file, as the text from there to the end of its line.
    private func place(_ yaml: String) -> String? {
        let source = SourceFile(name: "f.yaml", text: yaml)
        guard let node = YAMLParser.parse(source).root?.mapping?.entries.last?.value, let scalar = node.scalar,
            let offsets = ScalarOffsets(node, in: source), let position = scalar.text.utf8.firstIndex(of: UInt8(ascii: "@"))
        else { return nil }
        let start = scalar.text.utf8.distance(from: scalar.text.utf8.startIndex, to: position)
        guard let span = offsets.span(of: start..<(start + 1), in: source) else { return nil }
        let line = source.position(at: span.start)
        return "\(line.line):\(line.column) " + String(decoding: source.bytes[span.start..<span.end], as: UTF8.self)
    }

    @Test(
        "A part of a text is found in the file in every style",
        arguments: [
            ("k: ab @c\n", "1:7 @"), ("k: 'it''s @'\n", "1:11 @"), ("k: \"a\\tb\\x41\\u00e9\\\"@\"\n", "1:21 @"),
            ("k: \"é @\"\n", "1:7 @"), ("k: a\n   b\n\n   @c\n", "4:4 @"), ("k: 'a\n   b  @'\n", "2:7 @"),
            ("k: \"a\\\n   b\\\n   @\"\n", "3:4 @"), ("k: \"a \\\n  \\  @\"\n", "2:6 @"), ("k: |\n  a\n   b @\n", "3:6 @"),
            ("k: >-   # comment @\n  a\n  @ b\n", "3:3 @"), ("k: >2\n   a\n\n   @\n", "4:4 @"), ("k: |-\r\n  a\r\n  @\r\n", "3:3 @"),
            ("k: >\n  a\n    more\n  @\n", "4:3 @"), ("k: &x '@'\n", "1:8 @"), ("k: \"\\\\@\"\n", "1:7 @"), ("k: '''@'\n", "1:7 @"),
            ("{k: 'a', j: [1], l: 'b @'}\n", "1:24 @"), ("k: \"a\n\n\n  @\"\n", "4:3 @"), ("k: \"\\n\\n@\"\n", "1:9 @"),
        ])
    func places(yaml: String, expected: String) {
        #expect(place(yaml) == expected)
    }

    @Test("A text that an alias repeats has no places of its own")
    func alias() {
        #expect(place("a: &x '@'\nb: *x\n") == nil)
    }

    @Test("A part ends on the line where it starts, and is never empty")
    func ends() throws {
        let source = SourceFile(name: "f.yaml", text: "k: >-\n  ab\n  cd\n")
        let node = try #require(YAMLParser.parse(source).root?.mapping?.entries.first?.value)
        let offsets = try #require(ScalarOffsets(node, in: source))
        #expect(offsets.span(of: 0..<5, in: source) == SourceSpan(start: 8, end: 10))
        #expect(offsets.span(of: 3..<5, in: source) == SourceSpan(start: 13, end: 15))
        #expect(offsets.span(of: 5..<5, in: source) == SourceSpan(start: 15, end: 16))
        #expect(offsets.span(of: 0..<6, in: source) == nil)
    }
}
