import Config
import Diagnostics
import Foundation
import TestTools
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
        var generator = SeededGenerator(fixed: 1)
        let interesting = Array(" \t\n:#-[]{}&*!|>'\"%@`,?$\\x0".utf8) + [0x00, 0x7F, 0x85, 0xC3, 0xFF]
        for _ in 0..<400 {
            var damaged = whole
            let place = Int.random(in: whole.indices, using: &generator)
            // A secret whose own key is unreadable cannot be known for one.
            let line = whole[..<place].split(separator: 0x0A, omittingEmptySubsequences: false).last.map(\.count) ?? 0
            let rest = whole[(place - line)...].prefix { $0 != 0x0A }
            if String(decoding: rest, as: UTF8.self).contains("hunter2") { continue }
            damaged[place] = interesting.randomElement(using: &generator) ?? 0
            check(damaged)
        }
    }

    /// A search without an end: `FUZZ_ROUNDS` is the number of files.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["FUZZ_ROUNDS"] != nil), .seeded)
    func `Files put together from pieces of others are reported, fixed and compared without harm`() throws {
        let rounds = Int(ProcessInfo.processInfo.environment["FUZZ_ROUNDS"] ?? "") ?? 1000
        var generator = SeededGenerator()
        func random(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &generator) }
        let names = ["err", "ok", "realistic", "planted"].flatMap(GoldenTests.fixtures).filter {
            !$0.contains("secrets") && !$0.contains("wide-and-long")
        }
        // A secret whose own key is damaged cannot be known for one.
        let files = try names.map(bytes).filter { !String(decoding: $0, as: UTF8.self).contains("hunter2") }
        var left = 0
        let pieces =
            [
                "- ", ": ", "\n", "\t", "#", "&a ", "*a", "!x ", "[", "]", "{", "}", "\"", "'", "|\n", ">\n", "? ", "<<: ", "${env:A}",
                "${", "\u{FEFF}", "\0", "---\n", "...\n", "%A", "\r", "\u{85}",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3]]
        for _ in 0..<rounds {
            var file = files[random(files.count)]
            for _ in 0...random(6) {
                let place = random(file.count + 1)
                switch random(4) {
                case 0: file.insert(contentsOf: pieces[random(pieces.count)], at: place)
                case 1: file.removeSubrange(place..<min(file.count, place + random(20)))
                case 2:
                    let other = files[random(files.count)]
                    let start = random(other.count)
                    file.insert(contentsOf: other[start..<min(other.count, start + random(80))], at: place)
                default: if place < file.count { file[place] = UInt8(random(256)) }
                }
            }
            check(file)
            for unsafe in [false, true] {
                let outcome = Fixer.fix(SourceFile(name: "f", bytes: file), surroundings: exampleSurroundings, includingUnsafe: unsafe)
                let diff = UnifiedDiff.text(from: outcome.before, to: outcome.after)
                #expect(diff.isEmpty == !outcome.isChanged)
                if outcome.after.fixableCount(includingUnsafe: unsafe) > 0 { left += 1 }
            }
        }
        // Only where a fix would have broken the file.
        #expect(left < rounds / 10)
    }
}
