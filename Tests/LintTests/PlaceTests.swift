import Config
import Diagnostics
import Testing

@testable import Lint

/// Contract section 6, "Positions": the same mistake in every way of writing it, and what the caret stands under.
@Suite struct PlaceTests {
    private static let rest = """
        version: 1
        upstream: http://127.0.0.1:8080
        providers: [{ id: oidc.a, issuer: "https://a.example", clientID: a, clientSecret: "${env:A}" }]
        server: { publicURL: "https://a.example" }
        session: { keys: ["${file:./session.key}"] }

        """

    private func check(_ text: String) -> (SourceFile, [Diagnostic]) {
        let source = SourceFile(name: "f.yaml", text: text)
        return (source, Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics)
    }

    struct Spelling: Sendable, CustomTestStringConvertible {
        var text: String
        var token: String
        /// Line, column and offset.
        var start: String
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "A value is reported at its token, wherever it stands",
        arguments: [
            Spelling(text: "logging: { level: loud }\n", token: "loud", start: "1:19 18"),
            Spelling(text: "logging:\n  level: loud   # c\n", token: "loud", start: "2:10 18"),
            Spelling(text: "logging:\n  level: \"loud\"\n", token: "\"loud\"", start: "2:10 18"),
            Spelling(text: "logging:\n  level: 'loud'\n", token: "'loud'", start: "2:10 18"),
            Spelling(text: "\"logging\": {\"level\": \"loud\"}\n", token: "\"loud\"", start: "1:22 21"),
            Spelling(text: "logging:\n  level: |-\n    loud\n", token: "|", start: "2:10 18"),
            Spelling(text: "logging:\r\n  level: loud\r\n", token: "loud", start: "2:10 19"),
            Spelling(text: "\u{FEFF}logging: { level: loud }\n", token: "loud", start: "1:19 21"),
            Spelling(text: "x-é日🎉: a\nlogging: { level: loud }\n", token: "loud", start: "2:19 33"),
            Spelling(text: "logging: { format: json, \"level\": loud } # 日本\n", token: "loud", start: "1:35 34"),
            Spelling(text: "logging:\t{ level:\tloud }\n", token: "loud", start: "1:19 18"),
            Spelling(text: "x-日: &a loud\nlogging: { level: *a }\n", token: "*a", start: "2:19 33"),
            Spelling(text: "? logging\n: level: loud\n", token: "loud", start: "2:10 19"),
            Spelling(text: "logging: {\n  format: json,\n  level: loud,\n}\n", token: "loud", start: "3:10 36"),
        ])
    func places(example: Spelling) {
        let (source, found) = check(example.text + Self.rest)
        #expect(found.map(\.rule) == [.invalidValue], "\(found)")
        guard let finding = found.first else { return }
        let start = source.position(at: finding.span.start)
        #expect(source.text(of: finding.span) == example.token)
        #expect("\(start.line):\(start.column) \(start.offset)" == example.start)
    }

    @Test(
        "The caret stands under the token, also behind wide characters and tabs",
        arguments: [
            ("x-日本: 1\nlogging: { level: loud }\n", "loud"), ("x-a: 1\n\"logging\": { format: 日本語, level: auto }\n", "日本語"),
            ("logging: { \"level\": \"大声\" }\n", "\"大声\""), ("logging:\t{ level:\tloud }\n", "loud"),
            ("logging: { format: \"🎉🎉\", level: info }\n", "\"🎉🎉\""),
            ("logging: { format: \"e\u{301}\", level: info }\n", "\"e\u{301}\""),
        ])
    func caret(text: String, token: String) throws {
        let (source, found) = check("version: 1\n" + text)
        let finding = try #require(found.first { $0.rule == .invalidValue && source.text(of: $0.span) == token })
        let report = Report(files: [.init(source: source, diagnostics: [finding])])
        let lines = TextRenderer().render(report).split(separator: "\n", omittingEmptySubsequences: false)
        let index = try #require(lines.firstIndex { $0.contains(token) && $0.contains(" | ") && $0.first?.isNumber == true })
        let line = lines[index]
        let before = line[..<(try #require(line.firstRange(of: token))).lowerBound]
        let carets = try #require(lines[index + 1].firstRange(of: "^"))
        #expect(width(before) == width(lines[index + 1][..<carets.lowerBound]))
        #expect(lines[index + 1].count { $0 == "^" } == width(token[...]))
    }

    /// Cells of a terminal: two for East Asian wide characters and emoji, none for combining marks.
    private func width(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            if scalar.properties.generalCategory == .nonspacingMark { return sum }
            return sum + (scalar.value >= 0x1100 && scalar.value != 0x2026 ? 2 : 1)
        }
    }

    @Test func `What comes in through an alias is reported there, with the anchor as a second place`() throws {
        let (source, found) = check("x-a: &a { level: loud }\nlogging: *a\n" + Self.rest)
        let finding = try #require(found.first { $0.rule == .invalidValue })
        #expect(source.text(of: finding.span) == "*a")
        #expect(finding.related.map { source.text(of: $0.span) } == ["&a"])
    }
}
