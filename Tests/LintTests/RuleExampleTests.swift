import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

@Suite struct RuleExampleTests {
    @Test func `Every rule that a file declares is in the list once, with the name that goes with it`() throws {
        let listed = RuleRegistry.rules.map(\.name.rawValue)
        let declared = try Self.declarations(of: #/static let (\w+) = Rule\(\s*\.(\w+),/#, in: "Lint/Rules")
        let names = try Self.declarations(of: #/static let (\w+) = RuleName\(\s*"([^"]+)"/#, in: "Lint/Rules", "Diagnostics")
        #expect(declared.map(\.0) == declared.map(\.1))
        #expect(Set(declared.map(\.0)).symmetricDifference(names.map(\.0)) == [])
        #expect(Set(names.map(\.1)).symmetricDifference(listed) == [])
        #expect(Set(listed).count == listed.count)
    }

    /// The two texts that the pattern captures, in the sources of these folders.
    private static func declarations(of pattern: Regex<(Substring, Substring, Substring)>, in folders: String...) throws
        -> [(String, String)]
    {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")
        let files = folders.flatMap { folder in
            FileManager.default.enumerator(at: sources.appendingPathComponent(folder), includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL } ?? []
        }
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: pattern).map { (String($0.output.1), String($0.output.2)) }
        }
    }

    @Test("A rule's bad example is reported by this rule alone, at the marked place", arguments: RuleRegistry.rules.map(\.name))
    func badExample(name: RuleName) throws {
        let rule = try #require(RuleRegistry.rule(named: name.rawValue))
        guard let bad = rule.bad else {
            #expect(name == .deprecatedKey)
            return
        }
        let source = SourceFile(name: "bad.yaml", text: bad.completed)
        let outcome = Linter.check(
            source, surroundings: exampleSurroundings.with(bad.variables), answers: answers(rule.badAnswers, to: source))
        let findings = outcome.findings.diagnostics.map { "\($0.rule.rawValue) \($0.span.start)..<\($0.span.end) \($0.message)" }
        let expected = bad.marks.map { "\(name.rawValue) \($0.lowerBound)..<\($0.upperBound)" }
        #expect(findings.count == expected.count, "\(findings) in\n\(bad.completed)")
        for (finding, expected) in zip(findings, expected) { #expect(finding.hasPrefix(expected + " "), "\(finding) in\n\(bad.completed)") }
        #expect(!bad.marks.isEmpty)
    }

    @Test("A rule's good example is silent", arguments: RuleRegistry.rules.map(\.name))
    func goodExample(name: RuleName) throws {
        let rule = try #require(RuleRegistry.rule(named: name.rawValue))
        let source = SourceFile(name: "good.yaml", text: rule.good.completed)
        let answers = rule.isOnline ? answers(OnlineExample(), to: source) : nil
        let outcome = Linter.check(source, surroundings: exampleSurroundings.with(rule.good.variables), answers: answers)
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [])
        #expect(outcome.configuration != nil)
    }

    private func answers(_ example: OnlineExample?, to source: SourceFile) -> OnlineAnswers? {
        let plan = OnlinePlan(source, surroundings: exampleSurroundings)
        return example?.answers(for: plan.providers.map(\.id), upstreams: plan.upstreams)
    }

    @Test("A page tells what, why, the examples and what to do", arguments: RuleRegistry.rules.map(\.name))
    func page(name: RuleName) throws {
        let page = try #require(RulePages.page(for: name.rawValue))
        #expect(page.hasPrefix("\(name.rawValue) (\(name.severity.rawValue))\n"))
        for heading in ["\nWhy\n", "\nGood\n", "\nWhat to do\n"] { #expect(page.contains(heading)) }
        #expect(!page.contains("«"))
        #expect(RulePages.list.contains(name.rawValue))
    }

    @Test func `An unknown rule has no page but a suggestion`() {
        #expect(RulePages.page(for: "reserved-paramter") == nil)
        #expect(RulePages.suggestion(for: "reserved-paramter") == "reserved-parameter")
    }

    @Test func `An error code has a page with its status, what happened and what to do`() throws {
        let page = try #require(ErrorCodePages.page(for: "auth/invalid-state"))
        #expect(page.hasPrefix("auth/invalid-state (status 400)\n\n"))
        #expect(page.contains("\n\nWhat to do\n  "))
        #expect(ErrorCodePages.page(for: "proxy/loop-detected")?.hasPrefix("proxy/loop-detected (status 508)\n") == true)
        #expect(ErrorCodePages.page(for: "auth/invalid-stat") == nil)
        #expect(RulePages.suggestion(for: "auth/invalid-stat") == "auth/invalid-state")
        for entry in ErrorCodePages.entries { #expect(!entry.row.contains("\n"), "\(entry.code)") }
    }

    @Test func `The page of an error code names the pages that the documentation links to`() throws {
        let page = try #require(ErrorCodePages.page(for: "auth/signout-failed"))
        #expect(page.contains("See the runbook (docs/operations/runbook.md)."))
        for entry in ErrorCodePages.entries { #expect(ErrorCodePages.page(for: entry.code)?.contains("](") == false, "\(entry.code)") }
    }
}
