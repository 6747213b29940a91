import Diagnostics
import Testing
import YAML

@Suite struct StrictnessTests {
    /// Line and column of the first finding.
    private func place(_ text: String) -> String? {
        let source = SourceFile(name: "f", text: text)
        let document = YAMLParser.parse(source)
        return document.diagnostics.first.map { finding in
            let position = source.position(at: finding.span.start)
            return "\(finding.rule.rawValue) \(position.line):\(position.column)"
        }
    }

    @Test(
        "What libyaml lets pass and YAML 1.2 does not is refused where it stands",
        arguments: [
            ("a: \"b\"# c\n", "yaml-syntax 1:7"), ("a: [b]#c\n", "yaml-syntax 1:7"), ("a: [b,#c\n  d]\n", "yaml-syntax 1:7"),
            ("a: ># c\n  b\n", "yaml-syntax 1:5"), ("a: |x\n  b\n", "yaml-syntax 1:5"), ("a: [-]\n", "yaml-syntax 1:5"),
            ("a: [-, b]\n", "yaml-syntax 1:5"), ("a: [b,\nc]\n", "yaml-syntax 2:1"), ("a: \"b\nc\"\n", "yaml-syntax 2:1"),
            ("- [\n\tb]\n", "yaml-syntax 2:1"), ("a:\n  b: {\n  c: d }\n", "yaml-syntax 3:3"), ("a: \"b\n\tc\"\n", "yaml-syntax 2:1"),
            ("a: >\n   \n  b\n", "yaml-syntax 3:3"), ("a: >\n   \n # c\n", "yaml-syntax 3:2"),
            ("%YAML 1.2#x\n---\na: b\n", "yaml-syntax 1:10"), ("a: [?b]\n", "yaml-syntax 1:5"),
            ("a: &b:c d\n", "yaml-syntax 1:6"),
        ])
    func refused(text: String, expected: String) { #expect(place(text) == expected) }

    @Test(
        "What YAML allows stays allowed, and a closing bracket under its key",
        arguments: [
            "a: \"b\" # c\n", "a: b#c\n", "a: [b] # c\n", "a: [ # c\n  b ] # d\n", "a: [\n  b,\n  c\n]\n", "a: {\n  b: c,\n}\n",
            "[\na,\nb\n]\n",
            "{\n\"a\": \"b\"\n}\n", "\"a\nb\"\n", "a: > # c\n  b\n", "a: |2-\n    b\n", "a: >\n\n  b\n", "a: |\n  b\n   \n  c\n",
            "a: \"b\n\n  c\"\n",
            "- - [a,\n     b]\n", "a: 'b\n  c'\n", "# c\n#d\na: b\n#e\n", "\u{FEFF}# c\na: b\n", "a: [b,\n # c\n  d]\n", "a: &b c\nd: *b\n",
            "a: [&b c, *b]\n", "a: &b [c] # d\n", "a:\n  - |\n    b # c\n    #d\n  - e\n", "a: b\r\nc: [d,\r\n  e]\r\n", "a: |\n\nb: c\n",
            "a: '#'\nb: \"#c\"\n", "a: {b: '#'}\n", "---\n# c\na: b\n...\n",
        ])
    func allowed(text: String) { #expect(place(text) == nil) }
}
