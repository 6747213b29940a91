import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

/// With UPDATE_DOCS=1 in the environment the pages are written anew.
@Suite struct GeneratedDocsTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    private func check(_ text: String, _ path: String) throws {
        let file = Self.docs.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try? String(contentsOf: file, encoding: .utf8)), "docs/\(path) is not what the source says")
    }

    @Test func `The configuration reference is generated from the schema`() throws {
        try check(ConfigurationReference.markdown, "configuration.md")
    }

    @Test func `The JSON Schema is generated from the schema`() throws {
        try check(ConfigurationJSONSchema.text, "gateway.schema.json")
    }

    @Test("Each rule's page is generated from the rule", arguments: RuleRegistry.rules.map(\.name))
    func rulePage(name: RuleName) throws {
        let rule = try #require(RuleRegistry.rule(named: name.rawValue))
        try check(RulePages.markdown(for: rule), "rules/\(name.rawValue).md")
    }

    @Test func `The index of rules is generated from the topics`() throws {
        try check(RulePages.index, "rules/README.md")
    }

    @Test func `The rows of docs/errors.md are the pages of the error codes, each code once`() throws {
        let entries = Dictionary(uniqueKeysWithValues: ErrorCodePages.entries.map { ($0.code, $0) })
        let page = try String(contentsOf: Self.docs.appendingPathComponent("errors.md"), encoding: .utf8)
        var codes: [String] = []
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let code = line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != "`" } : ""
            guard let entry = entries[String(code)], line.dropFirst(3 + code.count).hasPrefix("` | \(entry.status) |") else {
                return String(line)
            }
            codes.append(entry.code)
            return entry.row
        }
        #expect(codes.sorted() == entries.keys.sorted())
        try check(lines.joined(separator: "\n"), "errors.md")
    }
}
