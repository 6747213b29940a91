import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

/// `Fixtures/lint/realistic` are files as people write them, without a mistake; `Fixtures/lint/planted` says at the end of
/// each line what is wrong there.
@Suite struct RealisticFileTests {
    @Test("A realistic file without a mistake has no finding", arguments: GoldenTests.fixtures("realistic"))
    func good(fixture: String) throws {
        let outcome = check(fixture, try bytes(fixture))
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue) \($0.message)" } == [])
        #expect(outcome.configuration != nil)
    }

    @Test("A realistic file has no finding with Windows line breaks either", arguments: GoldenTests.fixtures("realistic"))
    func windows(fixture: String) throws {
        let text = String(decoding: try bytes(fixture), as: UTF8.self)
        guard !text.contains("\r") else { return }
        let outcome = check(fixture, Array(text.replacing("\n", with: "\r\n").utf8))
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue) \($0.message)" } == [])
    }

    @Test func `There are at least forty realistic files`() { #expect(GoldenTests.fixtures("realistic").count >= 40) }

    @Test("Every planted mistake is found, on its line, and nothing else", arguments: GoldenTests.fixtures("planted"))
    func planted(fixture: String) throws {
        let bytes = try bytes(fixture)
        let source = SourceFile(name: fixture, bytes: bytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var expected: [String] = []
        for (index, line) in lines.enumerated() {
            for (marker, number) in [("# planted: ", index + 1), ("# planted above: ", index)] {
                guard let range = line.firstRange(of: marker) else { continue }
                expected += line[range.upperBound...].split(separator: ", ").map { "\(number) \($0)" }
            }
        }
        let found = check(fixture, bytes).findings.diagnostics.map { "\(source.position(at: $0.span.start).line) \($0.rule.rawValue)" }
        #expect(Set(expected).subtracting(found).sorted() == [], "not found")
        #expect(Set(found).subtracting(expected).sorted() == [], "found besides")
        #expect(expected.count == found.count)
        #expect(lines.count >= 290 && expected.count >= 80)
    }

    private func bytes(_ fixture: String) throws -> [UInt8] {
        Array(try Data(contentsOf: GoldenTests.root.appendingPathComponent(fixture)))
    }

    private func check(_ name: String, _ bytes: [UInt8]) -> Linter.Outcome {
        Linter.check(SourceFile(name: name, bytes: bytes), surroundings: exampleSurroundings)
    }
}
