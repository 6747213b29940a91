import Diagnostics
import Testing
import YAML

@Suite struct YAMLParserTests {
    private func parse(_ text: String, limits: YAMLLimits = YAMLLimits()) -> (ParsedDocument, SourceFile) {
        let source = SourceFile(name: "f.yaml", text: text)
        return (YAMLParser.parse(source, limits: limits), source)
    }

    /// Every node's token, keys before values.
    private func tokens(_ node: Node, _ source: SourceFile) -> [String] {
        let own = source.text(of: node.span)
        switch node.content {
        case .scalar: return [own]
        case .sequence(let items): return [own] + items.flatMap { tokens($0, source) }
        case .mapping(let mapping): return [own] + mapping.entries.flatMap { tokens($0.key, source) + tokens($0.value, source) }
        }
    }

    struct Tokens: Sendable, CustomTestStringConvertible {
        var text: String
        var tokens: [String]
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "A node's range is its token: quotes included, a collection's first token, a block scalar's indicator",
        arguments: [
            Tokens(text: "a: b", tokens: ["a", "a", "b"]),
            Tokens(text: "a: 'b c'  # d", tokens: ["a", "a", "'b c'"]),
            Tokens(text: "\"a\": \"b\\n\"", tokens: ["\"a\"", "\"a\"", "\"b\\n\""]),
            Tokens(text: "a:\n  - b\n  - c\n", tokens: ["a", "a", "-", "b", "c"]),
            Tokens(text: "a:\n- b\n", tokens: ["a", "a", "-", "b"]),
            Tokens(text: "a: [b, {c: d}]", tokens: ["a", "a", "[", "b", "{", "c", "d"]),
            Tokens(text: "a: |-\n  b\n  c\nd: >\n  e\n", tokens: ["a", "a", "|", "d", ">"]),
            Tokens(text: "a:\nb: ~", tokens: ["a", "a", "", "b", "~"]),
            Tokens(text: "a: &x b\nc: &y\n  d: e\nf: &z [g]\n", tokens: ["a", "a", "b", "c", "d", "d", "e", "f", "[", "g"]),
            Tokens(text: "a: &x b\nc: *x\n", tokens: ["a", "a", "b", "c", "*x"]),
            Tokens(text: "é: 東京 # x\n日本: y", tokens: ["é", "é", "東京", "日本", "y"]),
            Tokens(text: "\u{FEFF}a: é\n", tokens: ["a", "a", "é"]),
            Tokens(text: "a: b\r\nc: d\r\n", tokens: ["a", "a", "b", "c", "d"]),
            Tokens(text: "[a: b]", tokens: ["[", "a", "a", "b"]),
            Tokens(text: "a: b\n  c\n", tokens: ["a", "a", "b\n  c"]),
        ])
    func ranges(example: Tokens) throws {
        let (document, source) = parse(example.text)
        #expect(document.diagnostics == [])
        #expect(tokens(try #require(document.root), source) == example.tokens)
    }

    @Test("A plain scalar is null as in the core schema, YAML 1.2.2 section 10.3.2", arguments: ["", "~", "null", "Null", "NULL"])
    func nulls(text: String) throws {
        #expect(try #require(parse("a: \(text)").0.root?.mapping).entries[0].value.isNull)
        #expect(try !#require(parse("a: \"\(text)\"").0.root?.mapping).entries[0].value.isNull)
    }

    struct Finding: Sendable, CustomTestStringConvertible {
        var text: String
        var rule: RuleName
        /// `line:column-line:column`
        var place: String
        var message: String
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "What is not YAML is one finding at its place, in words for a person",
        arguments: [
            Finding(text: "a: 'b\nc: d", rule: .yamlSyntax, place: "1:4-1:5", message: "the quoted text that starts here has no end"),
            Finding(
                text: "a: [b\nc: d\n", rule: .yamlSyntax, place: "2:2-2:3",
                message: "this list is not closed: `,` or `]` is missing here"),
            Finding(
                text: "a: {b: c\n", rule: .yamlSyntax, place: "2:1-2:1",
                message: "this mapping is not closed: `,` or `}` is missing here"),
            Finding(
                text: "a: [${env:B}]", rule: .yamlSyntax, place: "1:5-1:7", message: "a reference between brackets or braces needs quotes"),
            Finding(
                text: "a: {b: x${env:B}}", rule: .yamlSyntax, place: "1:9-1:11",
                message: "a reference between brackets or braces needs quotes"),
            Finding(text: "a: b: c", rule: .yamlSyntax, place: "1:5-1:6", message: "a `key: value` cannot start here"),
            Finding(text: "a:\n\tb: c", rule: .yamlSyntax, place: "2:1-2:2", message: "a tab is used for indentation"),
            Finding(text: "a: @b", rule: .yamlSyntax, place: "1:4-1:5", message: "an unquoted value cannot start with `@`"),
            Finding(text: "a: *@b", rule: .yamlSyntax, place: "1:4-1:5", message: "an unquoted value cannot start with `*`"),
            Finding(text: "a: *b", rule: .yamlSyntax, place: "1:4-1:6", message: "there is no anchor `&b` above this alias"),
            Finding(
                text: "a: &b [*b]", rule: .yamlSyntax, place: "1:8-1:10", message: "the alias `*b` is inside the value that it refers to"),
            Finding(text: "a: b\n---\nc: d", rule: .yamlSyntax, place: "2:1-2:4", message: "a second YAML document starts here"),
            Finding(text: "a: \"\\q\"", rule: .yamlSyntax, place: "1:5-1:6", message: "this escape sequence does not exist"),
            Finding(text: "a: 1\n b: 2", rule: .yamlSyntax, place: "2:3-2:4", message: "a `key: value` cannot start here"),
            Finding(text: "a: \u{7F}", rule: .yamlSyntax, place: "1:4-1:5", message: "the file contains a control character"),
            Finding(text: "a: \u{0}", rule: .yamlSyntax, place: "1:4-1:5", message: "the file contains a NUL character"),
            Finding(
                text: "# a\u{2028}b: c", rule: .yamlSyntax, place: "1:4-1:5",
                message: "the file contains a line break that only YAML 1.1 knows"),
            Finding(
                text: "a: \u{85}", rule: .yamlSyntax, place: "1:4-1:5", message: "the file contains a line break that only YAML 1.1 knows"),
            Finding(text: "a: \u{9B}", rule: .yamlSyntax, place: "1:4-1:5", message: "the file contains a control character"),
            Finding(text: "[a]: b", rule: .yamlSyntax, place: "1:1-1:2", message: "a key must be text, not a list or mapping"),
            Finding(text: "a: 1\na: 2", rule: .duplicateKey, place: "2:1-2:2", message: "the key `a` appears twice in this mapping"),
            Finding(text: "a: 1\n\"a\": 2", rule: .duplicateKey, place: "2:1-2:4", message: "the key `a` appears twice in this mapping"),
            Finding(text: "a: !!str b", rule: .yamlTag, place: "1:4-1:9", message: "YAML tags are not allowed"),
            Finding(text: "a: &x !t b", rule: .yamlTag, place: "1:7-1:9", message: "YAML tags are not allowed"),
            Finding(text: "a: !<x:y> {}", rule: .yamlTag, place: "1:4-1:10", message: "YAML tags are not allowed"),
            Finding(text: "a: {<<: {}}", rule: .yamlMergeKey, place: "1:5-1:7", message: "merge keys are not part of YAML 1.2"),
        ])
    func findings(example: Finding) {
        let (document, source) = parse(example.text)
        let shown = document.diagnostics.map { finding in
            let range = source.range(of: finding.span)
            return
                "\(finding.rule.rawValue) \(range.start.line):\(range.start.column)-\(range.end.line):\(range.end.column) \(finding.message)"
        }
        #expect(shown == ["\(example.rule.rawValue) \(example.place) \(example.message)"])
    }

    @Test func `A quoted merge key is an ordinary key`() throws {
        let (document, _) = parse("\"<<\": a")
        #expect(document.diagnostics == [])
        #expect(document.root?.mapping?.entries.map(\.name) == ["<<"])
    }

    @Test func `Duplicate keys are found in every mapping of the file, with the first place`() {
        let (document, source) = parse("a: {x: 1, x: 2, x: 3}\nb: 1\nb: 2\n")
        #expect(document.diagnostics.map(\.rule) == [.duplicateKey, .duplicateKey, .duplicateKey])
        #expect(document.diagnostics.map { source.position(at: $0.related[0].span.start).column } == [5, 5, 1])
        #expect(!document.isBroken)
    }

    @Test(
        "Bytes that are not UTF-8 are refused at the byte, RFC 3629",
        arguments: [
            [0x61, 0xFF], [0x61, 0xC3], [0x61, 0xC0, 0xAF], [0x61, 0xE0, 0x80, 0xAF], [0x61, 0xED, 0xA0, 0x80],
            [0x61, 0xF4, 0x90, 0x80, 0x80], [0x61, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let document = YAMLParser.parse(SourceFile(name: "f", bytes: bytes))
        #expect(document.diagnostics.map(\.rule) == [.yamlSyntax])
        #expect(document.diagnostics.map(\.message) == ["this byte is not UTF-8"])
        #expect(document.diagnostics[0].span == SourceSpan(start: 1, end: 2))
        #expect(document.isBroken)
    }

    @Test("An empty file has no root and no finding of YAML", arguments: ["", "# only a comment\n", "\n\n", "\u{FEFF}"])
    func empty(text: String) {
        let (document, _) = parse(text)
        #expect(document.root == nil)
        #expect(document.diagnostics == [])
        #expect(!document.isBroken)
    }

    @Test func `What an alias brings in stands at the alias, its anchor known`() throws {
        let (document, source) = parse("a: &x [b, {c: d}]\ne: *x\n")
        let copy = try #require(document.root?.mapping?.entries[1].value)
        let items = try #require(copy.items)
        let inner = try #require(items[1].mapping?.entries[0].value)
        for node in [copy, items[0], inner] {
            #expect(source.text(of: node.span) == "*x")
            #expect(node.anchor.map { source.text(of: $0) } == "&x")
        }
    }

    @Test func `An anchor may be defined anew, and the last one above counts`() throws {
        let (document, _) = parse("a: &x 1\nb: &x 2\nc: *x\n")
        #expect(document.root?.mapping?.entries[2].value.scalar?.text == "2")
    }

    @Test("Nesting up to 64 levels is read, deeper is refused at the bracket", arguments: [63, 64])
    func depth(levels: Int) {
        let text = "a: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let (document, _) = parse(text)
        // The mapping itself is a level.
        #expect(document.diagnostics.map(\.rule) == (levels == 63 ? [] : [.yamlLimits]))
        if levels == 64 { #expect(document.diagnostics[0].span == SourceSpan(start: 66, end: 67)) }
    }

    @Test("Depth through aliases counts as depth", arguments: [(31, 32, false), (32, 32, true)])
    func aliasDepth(outer: Int, inner: Int, isRefused: Bool) {
        let anchored = String(repeating: "[", count: inner) + String(repeating: "]", count: inner)
        let aliased = String(repeating: "[", count: outer) + "*x" + String(repeating: "]", count: outer)
        let (document, _) = parse("a: &x \(anchored)\nb: \(aliased)\n")
        #expect(document.diagnostics.map(\.rule) == (isRefused ? [.yamlLimits] : []))
    }

    @Test("Up to 500,000 values are read", arguments: [499_998, 499_999])
    func nodes(items: Int) {
        // The mapping and the list are two; a key counts with its value.
        let (document, _) = parse("a: [" + String(repeating: "1,", count: items) + "]")
        #expect(document.diagnostics.map(\.rule) == (items == 499_998 ? [] : [.yamlLimits]))
    }

    @Test("Up to 10,000 values are repeated by aliases, however many stand in the file", arguments: [10, 11])
    func aliasedNodes(repetitions: Int) {
        let list = "[" + String(repeating: "1,", count: 999) + "]"
        let aliases = String(repeating: "*a,", count: repetitions)
        let (document, source) = parse("x: [" + String(repeating: "1,", count: 20_000) + "]\na: &a \(list)\nb: [\(aliases)]\n")
        #expect(document.diagnostics.map(\.rule) == (repetitions == 10 ? [] : [.yamlLimits]))
        if let finding = document.diagnostics.first {
            #expect(source.text(of: finding.span) == "*a")
            #expect(finding.message == "aliases repeat more than 10000 values")
        }
    }

    @Test func `An alias bomb is refused at the alias that bursts the budget`() {
        var text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1...30 { text += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ","))]\n" }
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            let (document, source) = parse(text)
            #expect(document.diagnostics.map(\.rule) == [.yamlLimits])
            #expect(source.text(of: document.diagnostics[0].span) == "*a2")
            #expect(document.anchors[document.diagnostics[0].span].map { source.text(of: $0) } == "&a2")
        }
        #expect(elapsed < .seconds(2))
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var unit: String
        var count: Int
        var start = ""
    }

    @Test(
        "Hostile files are refused quickly",
        arguments: [
            Hostile(testDescription: "10,000 open brackets", unit: "[", count: 10_000),
            Hostile(testDescription: "10,000 open mappings", unit: "{a: ", count: 10_000),
            Hostile(testDescription: "10,000 nested items", unit: "- ", count: 10_000),
            Hostile(testDescription: "10,000 complex keys", unit: "? ", count: 10_000),
            Hostile(testDescription: "1,000 anchors on one node", unit: "&x ", count: 1_000, start: "a: "),
            Hostile(testDescription: "500,000 times one key", unit: "a: 1\n", count: 500_000),
            Hostile(testDescription: "a list of a million numbers", unit: "1,", count: 1_000_000, start: "["),
            Hostile(testDescription: "10 MB of letters without an end", unit: "xxxxxxxxxx", count: 1_000_000, start: "a: \""),
            Hostile(testDescription: "a million commas", unit: ",", count: 1_000_000),
        ])
    func hostile(file: Hostile) {
        let text = file.start + String(repeating: file.unit, count: file.count)
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            let (document, _) = parse(text)
            #expect(!document.diagnostics.isEmpty)
            #expect(document.isBroken)
        }
        #expect(elapsed < .seconds(60))
    }
}
