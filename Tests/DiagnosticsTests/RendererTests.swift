import Diagnostics
import Testing

@Suite struct RendererTests {
    private func report(_ text: String, _ diagnostics: [Diagnostic], secrets: [SourceSpan] = [], name: String = "gateway.yaml") -> Report {
        Report(files: [.init(source: SourceFile(name: name, text: text), diagnostics: diagnostics, secrets: secrets)])
    }

    private func span(_ start: Int, _ end: Int) -> SourceSpan { SourceSpan(start: start, end: end) }

    @Test func `A finding is shown with its place, its line, its label and its help`() {
        let text = "version: 1\nupstraem: x\n"
        let finding = Diagnostic(
            .unknownKey, at: span(11, 19), "unknown key `upstraem`", label: "did you mean `upstream`?", help: "write `upstream`")
        #expect(
            TextRenderer().render(report(text, [finding])) == """
                error[unknown-key]: unknown key `upstraem`
                 --> gateway.yaml:2:1
                  |
                2 | upstraem: x
                  | ^^^^^^^^ did you mean `upstream`?
                  |
                help: write `upstream`
                  = see `gateway explain unknown-key`

                gateway.yaml: 1 error, 0 warnings

                """)
    }

    @Test func `A related place is a second snippet`() {
        let finding = Diagnostic(
            .duplicateKey, at: span(5, 6), "the key `a` appears twice", related: [RelatedPlace("first time here", at: span(0, 1))])
        let text = TextRenderer().render(report("a: 1\na: 2\n", [finding]))
        #expect(text.contains("note: first time here\n --> gateway.yaml:1:1\n  |\n1 | a: 1\n  | -\n  |\n"))
    }

    @Test func `Findings come in file order, each once`() {
        let late = Diagnostic(.wrongType, at: span(5, 6), "late")
        let early = Diagnostic(.unknownKey, at: span(0, 1), "early")
        let findings = report("a: 1\nb: 2\n", [late, early, late]).files[0].diagnostics
        #expect(findings.map(\.message) == ["early", "late"])
    }

    @Test func `Warnings fail only when strict, and never make a report invalid`() {
        let report = report("a: 1\n", [Diagnostic(RuleName("literal-secret", .warning), at: span(0, 1), "x")])
        #expect(report.isValid)
        #expect(!report.fails(strict: false))
        #expect(report.fails(strict: true))
        #expect(TextRenderer().render(report).hasSuffix("gateway.yaml: 0 errors, 1 warning\n"))
    }

    struct Caret: Sendable, CustomTestStringConvertible {
        var line: String
        var start: Int
        var end: Int
        var shown: String
        var caret: String
        var testDescription: String { line }
    }

    @Test(
        "The caret stands under the characters as a terminal shows them",
        arguments: [
            Caret(line: "abc", start: 1, end: 2, shown: "abc", caret: " ^"),
            Caret(line: "東京 x", start: 7, end: 8, shown: "東京 x", caret: "     ^"),
            Caret(line: "東京", start: 0, end: 6, shown: "東京", caret: "^^^^"),
            Caret(line: "\tx", start: 1, end: 2, shown: "    x", caret: "    ^"),
            Caret(line: "a\tx", start: 2, end: 3, shown: "a   x", caret: "    ^"),
            Caret(line: "e\u{301}x", start: 3, end: 4, shown: "e\u{301}x", caret: " ^"),
            Caret(line: "ab", start: 2, end: 2, shown: "ab", caret: "  ^"),
            Caret(line: "a\u{1B}[31mb", start: 0, end: 1, shown: "a\u{FFFD}[31mb", caret: "^"),
            Caret(line: "a\u{202E}b", start: 4, end: 5, shown: "a\u{FFFD}b", caret: "  ^"),
        ])
    func caret(example: Caret) {
        let text = TextRenderer().render(
            report(example.line + "\n", [Diagnostic(.invalidValue, at: span(example.start, example.end), "m")]))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[3] == "1 | " + example.shown)
        #expect(lines[4] == "  | " + example.caret)
    }

    @Test("A long line is cut around its caret to 80 columns", arguments: [0, 40, 76, 77, 100, 400, 999])
    func longLines(start: Int) {
        let line = String(repeating: "x", count: 1000)
        let text = TextRenderer().render(report(line + "\n", [Diagnostic(.invalidValue, at: span(start, start + 1), "m")]))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[3].count <= 80)
        #expect(lines[4].count <= 80)
        let column = lines[4].count - 1
        let shown = Array(lines[3])
        #expect(shown[column] == "x")
        #expect((lines[3].hasPrefix("1 | …")) == (start >= 75))
    }

    @Test func `A line of megabytes is shown in part, and what was not searched for secrets is not shown`() {
        let line = String(repeating: "x", count: 40_000) + "東" + String(repeating: "y", count: 60_000) + "z"
        let early = TextRenderer().render(report(line, [Diagnostic(.invalidValue, at: span(40_000, 40_003), "m")]))
        #expect(early.contains("--> gateway.yaml:1:40001\n"))
        #expect(early.contains("x東y"))
        #expect(early.contains(" ^^\n"))
        let late = TextRenderer().render(report(line, [Diagnostic(.invalidValue, at: span(100_000, 100_001), "m")]))
        #expect(!late.contains("yyy"))
        #expect(late.contains("***"))
    }

    @Test func `A place over several lines is underlined to the end of its first`() {
        let text = TextRenderer().render(report("ab: |\n  c\n  d\n", [Diagnostic(.invalidValue, at: span(4, 12), "m")]))
        #expect(text.contains("1 | ab: |\n  |     ^\n"))
    }

    @Test func `Colour adds escapes and changes no word`() {
        let report = report("a: 1\n", [Diagnostic(.wrongType, at: span(0, 1), "m", label: "l", help: "h")])
        let colored = TextRenderer(color: true).render(report)
        #expect(colored.contains("\u{1B}[1;31merror[wrong-type]\u{1B}[0m"))
        let escape = /\u{1B}\[[0-9;]*m/
        #expect(colored.replacing(escape, with: "") == TextRenderer().render(report))
    }

    struct SecretLine: Sendable, CustomTestStringConvertible {
        var text: String
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "A secret is masked in a snippet even where no decoder knows it",
        arguments: [
            "clientSecret: hunter2", "    client_secret: \"hunter2\"", "- clientsecret: hunter2", "x: { clientSecret: hunter2, a: b }",
            "privateKey: |\n  hunter2", "keys:\n- hunter2", "keys:\n  - a\n  - hunter2", "keys: [\n  hunter2 ]",
            "\"clientSecret\": hunter2",
            "cookie_secret: hunter2", "x: { clientSecret: \"${env:A}\", privateKey: hunter2 }", "issuer: https://user:hunter2@auth.example",
            "store: redis://:hunter2@host/0", "clientSecret: abc\n  hunter2", "password: hunter2", "clientSecret: ${env:A:-hunter2}",
            "clientSecret: ${env:A:hunter2", "clientSecret: \"${env:A}hunter2\"", "keys: [\"${env:A}\", hunter2]",
            "clientSecret: | hunter2",
        ].map(SecretLine.init(text:)))
    func masking(example: SecretLine) {
        for line in 0..<3 {
            let source = SourceFile(name: "f", text: example.text + "\n")
            let offset = source.contentOffsets(ofLine: line + 1).lowerBound
            let report = Report(files: [.init(source: source, diagnostics: [Diagnostic(.yamlSyntax, at: span(offset, offset + 1), "m")])])
            #expect(!TextRenderer().render(report).contains("hunter2"))
        }
    }

    @Test(
        "What follows a reference is not masked",
        arguments: [
            "- { clientSecret: \"${env:A}\" }\n- { id: shown }", "clientSecret: ${env:A}\nid: shown", "x: { keys: [], id: shown",
            "x: { keys: [\"${env:A}\"], id: shown",
        ])
    func notMasked(text: String) {
        let offset = text.utf8.count - 5
        #expect(TextRenderer().render(report(text, [Diagnostic(.yamlSyntax, at: span(offset, offset + 1), "m")])).contains("shown"))
    }

    @Test func `JSON has the documented members in the documented order`() {
        let finding = Diagnostic(
            .yaml11Boolean, at: span(3, 5), "m \"q\" \u{1}", help: nil, related: [RelatedPlace("r", at: span(0, 1))],
            fix: Fix(safe: true, [.init(replacing: span(3, 5), with: "true\n")]))
        let range = #"{"start":{"line":1,"column":4,"offset":3},"end":{"line":1,"column":6,"offset":5}}"#
        let first = #"{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":2,"offset":1}}"#
        let expected =
            #"{"formatVersion":"1","valid":false,"errorCount":1,"warningCount":0,"diagnostics":[{"rule":"yaml-1.1-boolean","severity":"error","#
            + #""message":"m \"q\" \u0001","help":null,"file":"gateway.yaml","range":"# + range + #","related":[{"message":"r","range":"#
            + first
            + #"}],"fix":{"safe":true,"edits":[{"range":"# + range + #","text":"true\n"}]}}]}"#
        #expect(JSONRenderer().render(report("a: on\n", [finding])) == expected + "\n")
        #expect(
            JSONRenderer().render(report("a: on\n", []))
                == #"{"formatVersion":"1","valid":true,"errorCount":0,"warningCount":0,"diagnostics":[]}"# + "\n")
    }

    @Test func `Machine formats carry the label's suggestion in the message`() {
        let finding = Diagnostic(
            .unknownKey, at: span(0, 1), "unknown key `clientsecret`", label: "did you mean `clientSecret`? it is set already",
            help: "remove this key")
        let report = report("a: 1\n", [finding])
        let text = "unknown key `clientsecret` (did you mean `clientSecret`? it is set already)"
        #expect(JSONRenderer().render(report).contains(#""message":"\#(text)","help":"remove this key""#))
        #expect(
            SARIFRenderer(version: "1", rules: [(.unknownKey, "s")]).render(report).contains(#""text":"\#(text)\nhelp: remove this key""#))
        #expect(GitHubRenderer().render(report).hasSuffix("::\(text)%0Ahelp: remove this key\n"))
    }

    @Test func `A secret among thousands is masked`() {
        let text = (0..<2_000).map { "k\($0): hunter2\n" }.joined()
        let source = SourceFile(name: "f", text: text)
        let spans = (1...2_000).map { line in
            let line = source.contentOffsets(ofLine: line)
            return span(line.upperBound - 7, line.upperBound)
        }
        let findings = spans.reversed().map { Diagnostic(RuleName("literal-secret", .warning), at: $0, "m") }
        let report = Report(files: [.init(source: source, diagnostics: findings, secrets: spans.reversed() + [span(3, 8)])])
        #expect(!TextRenderer().render(report).contains("hunter2"))
    }

    @Test func `GitHub annotations escape what would end them`() {
        let finding = Diagnostic(.unknownKey, at: span(0, 1), "100%\nmore", help: "h")
        #expect(
            GitHubRenderer().render(report("a: 1\n", [finding], name: "a,b:c.yaml"))
                == "::error file=a%2Cb%3Ac.yaml,line=1,endLine=1,col=1,endColumn=2,title=unknown-key::100%25%0Amore%0Ahelp: h\n")
    }

    @Test func `SARIF names the rules it uses and counts columns in scalars`() {
        let finding = Diagnostic(.unknownKey, at: span(0, 1), "m")
        let text = SARIFRenderer(version: "1.2.3", rules: [(.unknownKey, "s")]).render(report("a: 1\n", [finding], name: "a b.yaml"))
        #expect(text.contains(#""version":"2.1.0""#))
        #expect(text.contains(#""columnKind":"unicodeCodePoints""#))
        #expect(text.contains(#""rules":[{"id":"unknown-key","shortDescription":{"text":"s"},"defaultConfiguration":{"level":"error"}}]"#))
        #expect(text.contains(#""region":{"startLine":1,"startColumn":1,"endLine":1,"endColumn":2}"#))
        #expect(text.contains(#""uri":"a%20b.yaml""#))
    }
}
