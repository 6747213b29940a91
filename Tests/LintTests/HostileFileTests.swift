import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

/// Damaged files: nothing crashes, every place lies in the file, no secret is shown, and what has an error makes no configuration.
@Suite struct HostileFileTests {
    private static let fixtures = [
        "ok/contract.yaml", "err/secrets.yaml", "err/through-an-alias.yaml", "err/ignores.yaml", "err/wide-and-long.yaml",
    ]

    private func check(_ bytes: [UInt8]) {
        let source = SourceFile(name: "f", bytes: bytes)
        let outcome = Linter.check(source, surroundings: exampleSurroundings)
        for finding in outcome.findings.diagnostics {
            for span in [finding.span] + finding.related.map(\.span) + (finding.fix?.edits.map(\.span) ?? []) {
                #expect(span.start >= 0 && span.end <= bytes.count)
            }
        }
        #expect((outcome.configuration == nil) == (outcome.report.errorCount > 0))
        let text = TextRenderer().render(outcome.report) + JSONRenderer().render(outcome.report)
        #expect(!text.contains("value-of-"))
        if !text.contains("hunter2") { return }
        #expect(!text.contains("hunter2"), "\(text)")
    }

    private func bytes(_ fixture: String) throws -> [UInt8] {
        Array(try Data(contentsOf: GoldenTests.root.appendingPathComponent(fixture)))
    }

    @Test("A file cut off anywhere is reported and shows no secret", arguments: fixtures)
    func truncated(fixture: String) throws {
        let whole = try bytes(fixture)
        for length in stride(from: 0, to: whole.count, by: 5) { check(Array(whole.prefix(length))) }
    }

    @Test("A file with one byte changed is reported and shows no secret", arguments: fixtures)
    func changed(fixture: String) throws {
        let whole = try bytes(fixture)
        // A linear congruential generator: the same damage on every run.
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let interesting = Array(" \t\n:#-[]{}&*!|>'\"%@`,?$\\x0".utf8) + [0x00, 0x7F, 0x85, 0xC3, 0xFF]
        for _ in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var damaged = whole
            let place = Int(state >> 33) % whole.count
            // A secret whose own key is unreadable cannot be known for one.
            let line = whole[..<place].split(separator: 0x0A, omittingEmptySubsequences: false).last.map(\.count) ?? 0
            let rest = whole[(place - line)...].prefix { $0 != 0x0A }
            if String(decoding: rest, as: UTF8.self).contains("hunter2") { continue }
            damaged[place] = interesting[Int(state >> 20) % interesting.count]
            check(damaged)
        }
    }
}
