import Diagnostics
import Testing

@Suite struct FixHintTests {
    private func report(safe: Int, unsafe: Int) -> Report {
        let findings = (0..<(safe + unsafe)).map { index in
            let span = SourceSpan(start: index, end: index + 1)
            return Diagnostic(.invalidValue, at: span, "m", fix: Fix(safe: index < safe, [.init(replacing: span, with: "x")]))
        }
        return Report(files: [.init(source: SourceFile(name: "f", text: "abcdefgh"), diagnostics: findings)])
    }

    @Test(
        "The hint names the option that makes the fixes which are left",
        arguments: [
            (0, 0, false, false, nil), (2, 0, false, false, "2 fixable with --fix"),
            (2, 1, false, false, "2 fixable with --fix, 1 more with --unsafe-fixes"),
            (0, 3, false, false, "3 fixable with --fix --unsafe-fixes, which may change the meaning of the file"),
            (0, 3, true, false, "3 fixable with --fix --unsafe-fixes, which may change the meaning of the file"), (0, 3, true, true, nil),
        ] as [(Int, Int, Bool, Bool, String?)])
    func hint(safe: Int, unsafe: Int, fixing: Bool, includingUnsafe: Bool, expected: String?) {
        #expect(FixHint.text(for: report(safe: safe, unsafe: unsafe), fixing: fixing, unsafe: includingUnsafe) == expected)
    }
}
