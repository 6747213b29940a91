import Config
import Diagnostics
import Foundation
import Testing

@testable import Lint

@Suite struct FixerTests {
    private static let head = "version: 1\nserver: { publicURL: https://app.example.com }\nupstream: http://127.0.0.1:8080\n"

    private func fix(_ text: String, unsafe: Bool = false) -> Fixer.Outcome {
        Fixer.fix(SourceFile(name: "gateway.yaml", text: text), surroundings: exampleSurroundings, includingUnsafe: unsafe)
    }

    private func text(_ outcome: Fixer.Outcome) -> String { String(decoding: outcome.bytes, as: UTF8.self) }

    @Test func `Safe fixes keep comments, quotes elsewhere and the layout`() {
        let before =
            Self.head + """
                providers:
                  - id: oidc.acme   # the company
                    issuer: https://auth.example.com
                    client_id: acme-web    # from the console
                    clientSecret: ${env:ACME_SECRET}
                    enabled: yes   # always
                    customParameters: { max_age: 300, prompt: "login" }
                session: { keys: ["${file:./session.key}"] }

                """
        let outcome = fix(before)
        #expect(
            text(outcome)
                == before.replacing("client_id:", with: "clientID:").replacing("enabled: yes", with: "enabled: true")
                .replacing("max_age: 300", with: "max_age: \"300\""))
        #expect(outcome.count == 3)
        #expect(outcome.after.diagnostics.isEmpty)
    }

    @Test func `A fix that another one brings to light is made in the same run`() {
        let outcome = fix("version: 1\nupstream: http://127.0.0.1:8080\nroutes: [{ path: /**, access: Public, Methods: [get] }]\n")
        #expect(text(outcome).contains("{ path: /**, access: public, methods: [GET] }"))
        #expect(outcome.after.fixableCount(includingUnsafe: false) == 0)
    }

    @Test func `An empty parameter gets its quotes behind a colon only, found by fuzzing: without one they grew on and on`() {
        let provider =
            "providers: [{ id: oidc.a, issuer: \"https://a.example.com\", clientID: a, clientSecret: \"${env:A}\", customParameters: "
        let bare = fix(Self.head + provider + "{ hd0 example, prompt: login } }]\n")
        #expect(!bare.isChanged)
        #expect(bare.after.diagnostics.map(\.rule).contains(.nonStringParameter))
        let empty = fix(Self.head + provider + "{ max_age: , prompt: login } }]\n")
        #expect(empty.isChanged && empty.count == 1)
        #expect(!empty.after.diagnostics.map(\.rule).contains(.nonStringParameter))
    }

    @Test func `An unsafe fix is made only when asked for`() {
        let before = Self.head + "providers: [{ id: oidc.a, isuer: \"https://a.example.com\", clientID: a, clientSecret: \"${env:A}\" }]\n"
        #expect(!fix(before).isChanged)
        #expect(text(fix(before, unsafe: true)).contains("{ id: oidc.a, issuer: \"https://a.example.com\""))
    }

    @Test(
        "After fixing, nothing that can be fixed is left, and fixing again changes nothing",
        arguments: GoldenTests.fixtures("ok") + GoldenTests.fixtures("err"), [false, true])
    func fixpoint(fixture: String, unsafe: Bool) throws {
        let bytes = Array(try Data(contentsOf: GoldenTests.root.appendingPathComponent(fixture)))
        check(bytes, unsafe)
    }

    @Test("After fixing a rule's bad example nothing that can be fixed is left", arguments: RuleRegistry.rules.map(\.name), [false, true])
    func fixpoint(rule: RuleName, unsafe: Bool) {
        guard let bad = RuleRegistry.rule(named: rule.rawValue)?.bad else { return }
        check(Array(bad.completed.utf8), unsafe)
    }

    private func check(_ bytes: [UInt8], _ unsafe: Bool) {
        let outcome = Fixer.fix(SourceFile(name: "f", bytes: bytes), surroundings: exampleSurroundings, includingUnsafe: unsafe)
        #expect(outcome.after.fixableCount(includingUnsafe: unsafe) == 0, "\(outcome.after.diagnostics.filter { $0.fix != nil })")
        let again = Fixer.fix(outcome.after.source, surroundings: exampleSurroundings, includingUnsafe: unsafe)
        #expect(!again.isChanged)
        #expect(outcome.isChanged == (outcome.count > 0))
        let errors = { (findings: Report.FileFindings) in findings.diagnostics.count { $0.rule == .yamlSyntax } }
        #expect(errors(outcome.after) <= errors(outcome.before))
    }

    @Test func `A diff shows what changes, with the lines around it`() {
        let before =
            Self.head
            + "# one\n# two\n# three\nonUnauthenticated: Deny\n# four\n# five\n# six\n# seven\nroutes: [{ path: /**, access: public }]\n"
        let outcome = fix(before)
        #expect(
            UnifiedDiff.text(from: outcome.before, to: outcome.after) == """
                --- gateway.yaml
                +++ gateway.yaml
                @@ -4,7 +4,7 @@
                 # one
                 # two
                 # three
                -onUnauthenticated: Deny
                +onUnauthenticated: deny
                 # four
                 # five
                 # six

                """)
    }

    @Test func `A diff of nothing is empty`() {
        let outcome = fix(Self.head)
        #expect(UnifiedDiff.text(from: outcome.before, to: outcome.after) == "")
    }

    @Test func `A diff hides secrets on both sides and in the lines around`() {
        let outcome = fix(
            Self.head + "providers:\n  - id: oidc.acme\n    issuer: https://a.example.com\n    clientID: a\n    enabled: yes\n"
                + "    client_secret: hunter2-hunter2\n")
        let diff = UnifiedDiff.text(from: outcome.before, to: outcome.after)
        #expect(diff.contains("+    clientSecret: ***"))
        #expect(!diff.contains("hunter2"))
    }

    @Test func `A diff marks a file without a line break at its end, and keeps CR LF out of sight`() {
        let outcome = fix("version: 1\r\nupstream: http://127.0.0.1:8080\r\nonUnauthenticated: Auto")
        let diff = UnifiedDiff.text(from: outcome.before, to: outcome.after)
        #expect(
            diff.contains(
                "-onUnauthenticated: Auto\n\\ No newline at end of file\n+onUnauthenticated: auto\n\\ No newline at end of file\n"))
        #expect(!diff.contains("\r"))
        #expect(outcome.bytes.contains(0x0D))
    }

    @Test func `Fixes that overlap are left for the next run, and insertions are not lost`() {
        let source = SourceFile(name: "f", text: "abcdef")
        func finding(_ start: Int, _ end: Int, _ text: String, safe: Bool = true) -> Diagnostic {
            let span = SourceSpan(start: start, end: end)
            return Diagnostic(.invalidValue, at: span, "m\(start)\(end)", fix: Fix(safe: safe, [.init(replacing: span, with: text)]))
        }
        func fixed(_ findings: [Diagnostic], unsafe: Bool = false) -> String? {
            Report.FileFindings(source: source, diagnostics: findings).applyingFixes(includingUnsafe: unsafe)
                .map { String(decoding: $0.bytes, as: UTF8.self) + " \($0.count)" }
        }
        #expect(fixed([finding(0, 2, "X"), finding(1, 3, "Y"), finding(4, 5, "Z")]) == "XcdZf 2")
        #expect(fixed([finding(2, 2, "+"), finding(2, 4, "Y")]) == "ab+cdef 1")
        #expect(fixed([finding(2, 2, "+"), finding(3, 4, "Y")]) == "ab+cYef 2")
        #expect(fixed([finding(0, 1, "X", safe: false)]) == nil)
        #expect(fixed([finding(0, 1, "X", safe: false)], unsafe: true) == "Xbcdef 1")
    }
}
