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

    /// A search that goes on: `FUZZ_ROUNDS` says how many files, `FUZZ_SEED` where it begins.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["FUZZ_ROUNDS"] != nil))
    func `Files put together from pieces of others are reported, fixed and compared without harm`() throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = Int(environment["FUZZ_ROUNDS"] ?? "") ?? 1000
        var state = UInt64(environment["FUZZ_SEED"] ?? "") ?? 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, bound)
        }
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
