import Config
import Diagnostics
import Testing

@Suite struct DecoderTests {
    struct Unknown: Sendable, CustomTestStringConvertible {
        var text: String
        var place: String
        /// The label, or the help where there is no suggestion.
        var hint: String
        /// The text after its fix; nil when there is none.
        var fixed: String?
        var isSafe = false
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "An unknown key is reported with what was probably meant, and nothing else is",
        arguments: [
            Unknown(
                text: "version: 1\nupstraem: http://a\n", place: "2:1", hint: "did you mean `upstream`?",
                fixed: "version: 1\nupstream: http://a\n"),
            Unknown(
                text: "version: 1\nserver: { publicUrl: https://a }\n", place: "2:11", hint: "did you mean `publicURL`?",
                fixed: "version: 1\nserver: { publicURL: https://a }\n", isSafe: true),
            Unknown(
                text: "version: 1\nserver: { public-url: https://a }\n", place: "2:11", hint: "did you mean `publicURL`?",
                fixed: "version: 1\nserver: { publicURL: https://a }\n", isSafe: true),
            Unknown(
                text: "version: 1\nproviders: [{ id: oidc.a, \"client_id\": b }]\n", place: "2:27", hint: "did you mean `clientID`?",
                fixed: "version: 1\nproviders: [{ id: oidc.a, clientID: b }]\n", isSafe: true),
            Unknown(
                text: "version: 1\nproviders: [{ id: oidc.a, clientID: b, issuerURL: https://a }]\n", place: "2:40",
                hint: "did you mean `issuer`?",
                fixed: "version: 1\nproviders: [{ id: oidc.a, clientID: b, issuer: https://a }]\n"),
            Unknown(text: "versoin: 1\n", place: "1:1", hint: "did you mean `version`?", fixed: "version: 1\n"),
            Unknown(text: "version: 1\nVersion: 1\n", place: "2:1", hint: "did you mean `version`? It is already set", fixed: nil),
            Unknown(text: "version: 1\npathPrefix: /x\n", place: "2:1", hint: "`pathPrefix` belongs under `server`", fixed: nil),
            Unknown(
                text: "version: 1\nserver: { upstream: http://a }\n", place: "2:11", hint: "`upstream` belongs at the top level", fixed: nil
            ),
            Unknown(text: "version: 1\nemail_domains: [a]\n", place: "2:1", hint: "use `routes[].access.emails`", fixed: nil),
            Unknown(
                text: "version: 1\nlogging: { zzz: 1 }\n", place: "2:12", hint: "known keys: access, format, level", fixed: nil),
            Unknown(text: "version: 1\nserver: { x-mine: 1 }\n", place: "2:11", hint: "known keys: allowedRedirects, hsts", fixed: nil),
            Unknown(text: "version: 1\n\"\": 1\n", place: "2:1", hint: "known keys: accounts, admin", fixed: nil),
        ])
    func unknownKeys(example: Unknown) throws {
        let reading = read(example.text)
        #expect(findings(reading) == ["unknown-key \(example.place)"])
        let finding = try #require(reading.diagnostics.first)
        #expect(finding.label == example.hint || (finding.help ?? "").hasPrefix(example.hint), "\(finding)")
        let fix = finding.fix
        #expect((fix == nil) == (example.fixed == nil))
        if let fix, let fixed = example.fixed {
            #expect(fix.isSafe == example.isSafe)
            let safe = Diagnostic(.unknownKey, at: finding.span, "m", fix: Fix(safe: true, fix.edits))
            let result = Report.FileFindings(source: reading.document.source, diagnostics: [safe]).applyingSafeFixes()
            #expect(result.map { String(decoding: $0.bytes, as: UTF8.self) } == fixed)
        }
    }

    @Test func `Keys that begin with x- are free at the top level`() {
        #expect(findings(read("version: 1\nx-anything: { a: [b, !c d] }\n")) == ["yaml-tag 2:22"])
        #expect(findings(read("version: 1\nx-anything: { a: [b, \"${nothing}\"] }\n")) == [])
    }

    @Test(
        "The wrong kind of node is wrong-type at its first token",
        arguments: [
            ("- a", "1:1"), ("version: 1\nserver: []", "2:9"), ("version: 1\nserver: x", "2:9"),
            ("version: 1\nproviders: { id: a }", "2:12"),
            ("version: 1\nproviders: [a]", "2:13"), ("version: 1\nproviders:\n  id: a", "3:3"),
            ("version: 1\nreservedParameters: a", "2:21"),
            ("version: 1\nupstream:\n  - [a]", "3:5"), ("version: 1\nidentity: { headers: { a: { b: c } } }", "2:27"),
            ("version: 1\nroutes: [{ path: /, access: [public] }]", "2:29"),
            ("version: 1\nroutes: [{ path: /, access: { anyOf: { groups: [a] } } }]", "2:38"),
            ("version: 1\nroutes: [{ path: /, access: { claims: [a] } }]", "2:39"), ("version: 1\nserver: { listen: { a: b } }", "2:19"),
        ])
    func wrongTypes(text: String, place: String) {
        #expect(findings(read(text)) == ["wrong-type \(place)"])
    }

    @Test("Null counts as absent", arguments: ["", "~", "null", "\"\""])
    func nulls(text: String) {
        let reading = read(
            "version: 1\nserver: { limits: { bodyBytes: \(text) }, publicURL: \(text) }\nsession: { cookie: { domain: \(text) } }\nupstream: \(text)\n"
        )
        #expect(findings(reading) == [])
        #expect(reading.draft.upstream == nil)
    }

    @Test("An item of a list cannot be empty", arguments: ["", "~", "\"\""])
    func nullItems(text: String) {
        #expect(findings(read("version: 1\nreservedParameters:\n  - a\n  - \(text)\n")).map { $0.prefix(13) } == ["invalid-value"])
    }

    @Test(
        "A condition cannot be left empty, for then it would admit everyone",
        arguments: ["emails", "groups", "users", "providers", "claims", "maxAge", "anyOf"])
    func emptyConditions(key: String) {
        let reading = read("version: 1\nroutes: [{ path: /, access: { \(key): } }]\n")
        #expect(reading.diagnostics.map(\.rule) == [.invalidValue])
    }

    @Test func `An unreadable rule of access admits nobody in the draft`() {
        let reading = read("version: 1\nroutes: [{ path: /, access: publik }]\n")
        #expect(findings(reading) == ["invalid-value 2:29"])
        guard case .anyOf(let rules) = reading.draft.routes[0].access else {
            Issue.record("\(reading.draft.routes[0].access)")
            return
        }
        #expect(rules.isEmpty)
    }

    @Test(
        "An unquoted value of a parameter that YAML reads as no string is refused, with a safe fix",
        arguments: [
            "true", "False", "null", "~", "1", "-1", "1.5", "1e3", "0x1F", "0o17", ".inf", "-.inf", ".nan", "+12", "1.",
        ])
    func nonStrings(text: String) {
        let source = "version: 1\nproviders: [{ id: oidc.a, clientID: b, customParameters: { p: \(text) } }]\n"
        let reading = read(source)
        #expect(findings(reading) == ["non-string-parameter 2:63"])
        let fixed = Report.FileFindings(source: reading.document.source, diagnostics: reading.diagnostics).applyingSafeFixes()
        #expect(fixed.map { String(decoding: $0.bytes, as: UTF8.self) } == source.replacing("p: \(text)", with: "p: \"\(text)\""))
    }

    @Test(
        "A string is a string",
        arguments: ["yes", "1h", "0b1", "1_000", "12:30", "\"true\"", "'1'", "tRue", "1e", "--1", "0x", "\"${env:PORT}\"", "2024-01-01"])
    func stringParameters(text: String) {
        #expect(findings(read("version: 1\nproviders: [{ id: oidc.a, clientID: b, customParameters: { p: \(text) } }]\n")) == [])
    }

    @Test func `What a merge key or a duplicate leaves out is not reported as missing`() {
        #expect(findings(read("x-a: &a { version: 1 }\n<<: *a\n")) == ["yaml-merge-key 2:1"])
        #expect(findings(read("version: 1\nproviders: [{ id: oidc.a, cleintID: b }]\n")) == ["unknown-key 2:27"])
        #expect(findings(read("version: !x 1\n")) == ["yaml-tag 1:10"])
    }

    @Test func `Broken YAML is the only finding`() {
        #expect(findings(read("nonsense: 1\nversion: 'x\n")) == ["yaml-syntax 2:10"])
    }
}
