import Config
import Diagnostics
import Testing

@Suite struct ReferenceTests {
    private func clientID(_ written: String) -> (ConfigReader.Reading, String) {
        let reading = read("version: 1\nproviders:\n  - id: oidc.a\n    clientID: \(written)\n")
        return (reading, reading.draft.providers[0].clientID)
    }

    @Test(
        "A reference is replaced inside any string, once",
        arguments: [
            ("${env:PORT}", "8080"), ("a-${env:PORT}-b", "a-8080-b"), ("\"${env:PORT}${env:LEVEL}\"", "8080debug"),
            ("${env:UNSET:-x y}", "x y"),
            ("${env:EMPTY:-x}", "x"), ("${env:PORT:-x}", "8080"), ("a$${env:PORT}", "a${env:PORT}"), ("$$", "$$"), ("a$b", "a$b"),
            ("$", "$"),
            ("${env:DOLLAR}", "${env:PORT}"), ("${env:YAML}", "a: [b]\n- c"), ("${env:ZEROS}", "0123"),
            ("${file:./secret}", "s3cret-value"),
            ("${file:./windows}", "s3cret-value"), ("${file:./two}", "s3cret-value\n"), ("$${", "${"), ("'$${}'", "${}"),
            ("$$${env:PORT}", "$${env:PORT}"),
            ("${env:UNSET:-}x", "x"),
        ])
    func replaced(written: String, text: String) {
        let (reading, value) = clientID(written)
        #expect(findings(reading) == [])
        #expect(value == text)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var written: String
        /// The columns of the finding.
        var start: Int
        var end: Int
        var testDescription: String { written }
    }

    @Test(
        "What cannot be resolved is a finding at the `${…}`, and the key is not reported as missing besides",
        arguments: [
            Refusal(written: "${env:UNSET}", start: 15, end: 27), Refusal(written: "\"a${env:UNSET}b\"", start: 17, end: 29),
            Refusal(written: "${file:./none}", start: 15, end: 29), Refusal(written: "${PORT}", start: 15, end: 22),
            Refusal(written: "${env:}", start: 15, end: 22),
            Refusal(written: "${env:1A}", start: 15, end: 24), Refusal(written: "${env:A-B}", start: 15, end: 25),
            Refusal(written: "${env:PORT:x}", start: 15, end: 28),
            Refusal(written: "${env:PORT", start: 15, end: 25), Refusal(written: "'${env:PORT'", start: 16, end: 26),
            Refusal(written: "${}", start: 15, end: 18),
            Refusal(written: "${file:}", start: 15, end: 23), Refusal(written: "${file:./binary}", start: 15, end: 31),
            Refusal(written: "${vault:x}", start: 15, end: 25),
            Refusal(written: "$${a} ${b}", start: 21, end: 25), Refusal(written: "é ${b}", start: 17, end: 21),
            Refusal(written: "\"\\x24{b}\"", start: 15, end: 24),
        ])
    func refused(example: Refusal) {
        let (reading, _) = clientID(example.written)
        #expect(findings(reading) == ["unresolved-reference 4:\(example.start)"])
        #expect(reading.document.source.position(at: reading.diagnostics[0].span.end).column == example.end)
    }

    @Test func `A reference in a key is never expanded`() {
        let reading = read("version: 1\nproviders: [{ id: oidc.a, clientID: b, customParameters: { \"${env:PORT}\": x } }]\n")
        #expect(reading.draft.providers[0].customParameters.map(\.name) == ["${env:PORT}"])
    }

    @Test func `What a reference brings is read as the field's type and never shown`() {
        let reading = read("version: 1\nlogging: { level: \"${env:LEVEL}\" }\nserver: { limits: { headerCount: \"${env:ZEROS}\" } }\n")
        #expect(reading.draft.logging.level == .debug)
        #expect(findings(reading) == ["invalid-value 3:35"])
        #expect(!reading.diagnostics.contains { ($0.message + ($0.help ?? "") + ($0.label ?? "")).contains("0123") })
    }

    @Test func `An empty value counts as absent`() {
        #expect(findings(clientID("${env:EMPTY}").0) == ["missing-key 3:5"])
        #expect(findings(clientID("${file:./empty}").0) == ["missing-key 3:5"])
    }

    @Test func `A reference in a block scalar is reported where it stands`() {
        let (reading, _) = clientID("|\n      first\n      ${env:UNSET}")
        #expect(findings(reading) == ["unresolved-reference 6:7"])
    }

    @Test func `A reference through an alias is reported at the alias`() {
        let reading = read("version: 1\nx-id: &id ${env:UNSET}\nproviders: [{ id: oidc.a, clientID: *id }]\n")
        #expect(findings(reading) == ["unresolved-reference 3:37"])
        #expect(reading.diagnostics[0].related.map(\.span) == [SourceSpan(start: 17, end: 20)])
    }

    @Test func `A whole-scalar default of a secret is known as a secret`() {
        let text = "version: 1\nproviders: [{ id: oidc.a, clientID: b, clientSecret: \"${env:UNSET:-hidden-one}\" }]\n"
        let reading = read(text)
        #expect(reading.secrets.map { reading.document.source.text(of: $0) } == ["hidden-one"])
    }
}
