import Config
import Diagnostics
import Testing

@testable import Lint

/// Files made to use up time or memory: each has one clear finding. Measured by hand, a debug build takes at most 1.7 s and
/// 100 MiB for each of them at ten times the size.
@Suite struct HostileSizeTests {
    static let files: [(name: String, text: @Sendable () -> String, rule: RuleName)] = [
        (
            "aliases of aliases",
            {
                let letters = "bcdefghijklm".map(String.init)
                let rest = zip(letters, ["a"] + letters).map {
                    "x-\($0): &\($0) [\(Array(repeating: "*\($1)", count: 9).joined(separator: ","))]\n"
                }
                return "version: 1\nx-a: &a [x,x,x,x,x,x,x,x,x]\n" + rest.joined()
            }, .yamlLimits
        ),
        ("a list of many", { "version: 1\nx-a: [" + String(repeating: "a,", count: 500_001) + "]\n" }, .yamlLimits),
        ("many keys", { "version: 1\n" + (0..<500_000).map { "x-\($0): 1\n" }.joined() }, .yamlLimits),
        ("brackets in brackets", { String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) }, .yamlLimits),
        ("brackets that never close", { String(repeating: "[", count: 100_000) }, .yamlLimits),
        ("dashes", { String(repeating: "- ", count: 100_000) }, .yamlLimits),
        ("braces", { String(repeating: "{a: ", count: 10_000) }, .yamlLimits),
        ("a quote that never ends", { "a: \"" + String(repeating: "\n", count: 500_000) }, .yamlSyntax),
        ("keys of keys", { "a: " + String(repeating: "b: ", count: 300_000) }, .yamlSyntax),
        ("question marks", { String(repeating: "? ", count: 10_000) }, .yamlSyntax),
        (
            "references without end",
            {
                "version: 1\nproviders: [{ id: oidc.a, issuer: \"" + String(repeating: "${env:A}", count: 100_000) + "\" }]\n"
            }, .unresolvedReference
        ),
        ("a NUL", { "version: 1\0\n" }, .yamlSyntax),
    ]

    @Test("A file made to exhaust the reader has a clear finding", arguments: files.indices)
    func hostile(index: Int) {
        let file = Self.files[index]
        let outcome = Linter.check(SourceFile(name: "f", text: file.text()), surroundings: exampleSurroundings)
        #expect(outcome.configuration == nil)
        let rules = outcome.findings.diagnostics.map(\.rule)
        #expect(rules.contains(file.rule) || (file.rule == .yamlSyntax && rules.contains(.yamlLimits)), "\(file.name): \(rules)")
        let text = TextRenderer().render(outcome.report)
        #expect(text.utf8.count < 10_000)
    }

    @Test func `Comments without end are looked at up to a bound`() {
        let comment = "# gateway-ignore: no-such-rule because\n"
        let outcome = Linter.check(
            SourceFile(name: "f", text: String(repeating: comment, count: 12_000) + "version: 1\n"), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.count { $0.rule == .unusedIgnore } == 10_000)
    }

    @Test func `Ten thousand routes with all they need stay within the limits, and overlapping ones are compared`() {
        let routes = (0..<10_000).map { number in
            "  - { path: /*/a\(number)/**, methods: [GET, POST], access: { groups: [a, b], emails: [\"*@example.com\"] } }\n"
        }
        let text = Rule.Example("routes:\n" + routes.joined() + "  - { path: /x/a9999/y, methods: [GET] }\n").completed
        let outcome = Linter.check(SourceFile(name: "f", text: text), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.map(\.rule) == [.unreachableRoute])
        #expect(outcome.configuration?.routes.count == 10_001)
    }

    @Test func `A file of one long value or of comments only lacks what it lacks`() {
        for filler in ["x-a: \"" + String(repeating: "a", count: 2_000_000) + "\"\n", String(repeating: "# a comment\n", count: 100_000)] {
            let outcome = Linter.check(SourceFile(name: "f", text: "version: 1\n" + filler), surroundings: exampleSurroundings)
            #expect(outcome.findings.diagnostics.map(\.rule).contains(.missingKey))
        }
    }
}
