import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

/// `Fixtures/lint/ok/*.yaml` are valid, `Fixtures/lint/err/*.yaml` are not; `*.out` is the text report of each.
/// With UPDATE_GOLDEN=1 in the environment the reports are written anew: read the difference before committing it.
@Suite struct GoldenTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/lint")

    static func fixtures(_ folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { "\(folder)/\($0)" }.sorted()
    }

    private func report(_ fixture: String) throws -> (Report, isValid: Bool) {
        let bytes = try Data(contentsOf: Self.root.appendingPathComponent(fixture))
        let surroundings = exampleSurroundings.with(Self.variables(String(decoding: bytes, as: UTF8.self)))
        let outcome = Linter.check(SourceFile(name: fixture, bytes: Array(bytes)), surroundings: surroundings)
        return (outcome.report, outcome.configuration != nil)
    }

    /// Lines such as `# environment: NAME=value` say what is set where the fixture is read.
    private static func variables(_ text: String) -> [String: String] {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("# environment: ") }
        let pairs = lines.map { $0.dropFirst("# environment: ".count).split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    @Test("The report of a fixture is its golden file", arguments: fixtures("ok") + fixtures("err"))
    func golden(fixture: String) throws {
        let (report, _) = try report(fixture)
        let text = TextRenderer().render(report)
        let golden = Self.root.appendingPathComponent(fixture.dropLast(5) + ".out")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try text.write(to: golden, atomically: true, encoding: .utf8) }
        #expect(text == (try? String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("A fixture under ok/ makes a configuration", arguments: fixtures("ok"))
    func valid(fixture: String) throws {
        let (report, isValid) = try report(fixture)
        #expect(isValid)
        #expect(report.isValid)
    }

    @Test("A fixture under err/ makes none", arguments: fixtures("err"))
    func invalid(fixture: String) throws {
        let (report, isValid) = try report(fixture)
        #expect(!isValid)
        #expect(report.errorCount > 0)
    }

    @Test("No report shows a secret of a fixture", arguments: fixtures("err") + fixtures("ok"))
    func secrets(fixture: String) throws {
        let (report, _) = try report(fixture)
        for text in [TextRenderer().render(report), JSONRenderer().render(report), GitHubRenderer().render(report)] {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("value-of-"))
        }
    }

    @Test func `Every rule is covered twice by fixtures, in different spellings`() throws {
        var counts: [RuleName: Int] = [:]
        for fixture in Self.fixtures("err") + Self.fixtures("ok") + Self.fixtures("planted") {
            for finding in try report(fixture).0.files.flatMap(\.diagnostics) { counts[finding.rule, default: 0] += 1 }
        }
        // Nothing is deprecated yet, and what the network says is not in a file (OnlineTests).
        let expected = RuleRegistry.rules.filter { !$0.isOnline && $0.name != .deprecatedKey }
        #expect(expected.filter { counts[$0.name, default: 0] < 2 }.map { "\($0.name.rawValue) \(counts[$0.name, default: 0])" } == [])
    }

    @Test func `There are fixtures`() {
        #expect(Self.fixtures("ok").count >= 5)
        #expect(Self.fixtures("err").count >= 20)
    }
}
