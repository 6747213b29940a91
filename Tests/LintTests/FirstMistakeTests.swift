import Config
import Diagnostics
import Testing

@testable import Lint

/// Mistakes of the first hour, each with its place, its words and its fix.
@Suite struct FirstMistakeTests {
    private static let head = """
        version: 1
        server: { publicURL: "https://a.example" }
        upstream: http://127.0.0.1:8080
        session: { keys: ["${file:./session.key}"] }

        """
    private static let provider = """
        providers:
          - id: oidc.a
            issuer: https://a.example
            clientID: a
            clientSecret: ${env:ACME}

        """

    private func check(_ text: String) -> [Diagnostic] {
        Linter.check(SourceFile(name: "f.yaml", text: text), surroundings: exampleSurroundings).findings.diagnostics
    }

    private func place(_ finding: Diagnostic, in text: String) -> String {
        let range = SourceFile(name: "f.yaml", text: text).range(of: finding.span)
        return "\(range.start.line):\(range.start.column)-\(range.end.line):\(range.end.column)"
    }

    // MARK: Commas

    @Test(
        "A comma behind an unquoted value is reported with the key, at the comma",
        arguments: [
            ("issuer: https://a.example", "issuer", "7:30-7:31"), ("clientID: a", "clientID", "8:16-8:17"),
            ("clientSecret: ${env:ACME}", "clientSecret", "9:30-9:31"), ("id: oidc.a", "id", "6:15-6:16"),
        ])
    func commaBehindPlainValue(line: String, key: String, range: String) throws {
        let text = Self.head + Self.provider.replacing(line, with: line + ",")
        let finding = try #require(check(text).first)
        #expect(check(text).count == 1)
        #expect(finding.rule == .trailingComma && finding.severity == .error)
        #expect(place(finding, in: text) == range)
        #expect(finding.message == "the value of `\(key)` ends with a comma")
        #expect(finding.help == "remove the comma, or put the value in quotes if the comma belongs to it")
    }

    @Test(
        "A comma behind brackets, braces, quotes or an alias is reported as one",
        arguments: [
            ("claims: { groups: roles },", "10:30-10:31"), ("scopes: [email],   # c", "10:20-10:21"),
            ("displayName: \"A\",", "10:21-10:22"),
            ("displayName: 'A',", "10:21-10:22"),
        ])
    func commaBehindClosedValue(line: String, range: String) throws {
        let text = Self.head + Self.provider + "    \(line)\n    enabled: true\n"
        let finding = try #require(check(text).first)
        #expect(finding.rule == .trailingComma)
        #expect(place(finding, in: text) == range)
        #expect(finding.message == "a comma follows this value")
        #expect(finding.help == "remove the comma: outside brackets and braces, the end of the line ends a value")
        #expect(check(text).count == 1)
    }

    @Test func `A comma behind a list item and behind the whole file's braces is reported`() {
        for text in ["version: 1,\n", "- {a: b},\n- c\n", "{version: 1},\n", "x-a: &a b\nversion: *a,\nupstream: c\n"] {
            #expect(check(text).map(\.rule).contains(.trailingComma), "\(text)")
        }
    }

    @Test func `A comma between two values asks for brackets`() throws {
        let text = Self.head + Self.provider + "    scopes: \"a\", \"b\"\n"
        let finding = try #require(check(text).first)
        #expect(finding.rule == .yamlSyntax && place(finding, in: text) == "10:16-10:17")
        #expect(finding.help == "put several values between `[` and `]`, or each on a line of its own")
    }

    @Test func `The rest of a value with a comma is checked in the same run`() {
        let text = Self.head + Self.provider.replacing("https://a.example", with: "http://a.example,")
        #expect(check(text).map(\.rule) == [.insecureURL, .trailingComma])
    }

    @Test func `A comma in quotes belongs to the value`() {
        #expect(check(Self.head + Self.provider + "    displayName: \"Acme, Inc.,\"\n") == [])
    }

    @Test func `One run of --fix removes every comma`() {
        let commas = Self.provider.split(separator: "\n").dropFirst().map { "\($0),\n" }.joined()
        let text = Self.head + "providers:\n" + commas + "    scopes: [email],\n    claims: { groups: roles },\n"
        let outcome = Fixer.fix(SourceFile(name: "f.yaml", text: text), surroundings: exampleSurroundings)
        #expect(String(decoding: outcome.bytes, as: UTF8.self) == text.replacing(",\n", with: "\n"))
        #expect(outcome.count == 6)
        #expect(outcome.after.diagnostics == [])
    }

    // MARK: Shell variables

    @Test(
        "A shell variable in a secret is an error that shows the reference",
        arguments: [
            ("$ACME_SECRET", "`$ACME_SECRET` is not a reference", "write `${env:ACME_SECRET}`"),
            ("\"$ACME_SECRET\"", "`$ACME_SECRET` is not a reference", "write `${env:ACME_SECRET}`"),
            ("$(ACME_SECRET)", "`$(ACME_SECRET)` is not a reference", "write `${env:ACME_SECRET}`"),
            (
                "$hunter2", "a value that begins with `$` is not a reference",
                "write `${env:NAME}` with the name of the environment variable"
            ),
        ])
    func shellVariable(written: String, message: String, help: String) throws {
        let text = Self.head + Self.provider.replacing("${env:ACME}", with: written)
        let finding = try #require(check(text).first)
        #expect(check(text).count == 1)
        #expect(finding.rule == .unresolvedReference && finding.severity == .error)
        #expect(place(finding, in: text) == "9:19-9:\(19 + written.count)")
        #expect(finding.message == message)
        #expect(finding.help == help)
        let report = Linter.check(SourceFile(name: "f.yaml", text: text), surroundings: exampleSurroundings).report
        #expect(!TextRenderer().render(report).contains("hunter2"))
    }

    @Test func `A session key that is a shell variable is reported, and the fix writes the reference`() {
        let text =
            Self.head.replacing("${file:./session.key}", with: "$SESSION_KEY") + Self.provider.replacing("${env:ACME}", with: "$ACME")
        let outcome = Fixer.fix(SourceFile(name: "f.yaml", text: text), surroundings: exampleSurroundings)
        #expect(outcome.before.diagnostics.map { place($0, in: text) } == ["4:19-4:33", "9:19-9:24"])
        #expect(String(decoding: outcome.bytes, as: UTF8.self).contains("session: { keys: [\"${env:SESSION_KEY}\"] }\n"))
        #expect(String(decoding: outcome.bytes, as: UTF8.self).contains("    clientSecret: \"${env:ACME}\"\n"))
    }

    @Test(arguments: ["\"$a-secret\"", "\"$$ECRET-of-many\"", "\"12345$SECRET\"", "\"$(a b)-secret\""])
    func `A secret with a dollar elsewhere is a literal secret`(written: String) {
        #expect(check(Self.head + Self.provider.replacing("${env:ACME}", with: written)).map(\.rule) == [.literalSecret])
    }

    // MARK: Dashes

    @Test func `Providers as a mapping get a hint about the dash`() throws {
        let text = Self.head + Self.provider.replacing("  - id", with: "    id")
        let finding = try #require(check(text).first)
        #expect(check(text).count == 1)
        #expect(finding.rule == .wrongType && place(finding, in: text) == "6:5-6:7")
        #expect(finding.help == "put a dash before the first key of each item: `- id: …`")
    }

    @Test(
        "A mapping from names to items gets the name behind a dash",
        arguments: [
            (
                "providers:\n  google.com:\n    clientID: a\n",
                "write a list, each item with a dash: `- id: google.com`, its other keys below"
            ),
            (
                "routes:\n  /admin/**:\n    access: public\n",
                "write a list, each item with a dash: `- path: /admin/**`, its other keys below"
            ),
        ])
    func itemsByName(section: String, help: String) {
        let found = check(Self.head + section)
        #expect(found.filter { $0.rule == .wrongType }.map(\.help) == [help])
    }

    // MARK: Other products

    @Test(
        "The file of another product gets one finding, at an option that only that product has",
        arguments: [
            ("http_address = \"0.0.0.0:4180\"\nclient_secret = \"hunter2\"\n", "oauth2-proxy", "1:1-1:13"),
            ("# c\n\nclient_secret=\"hunter2\"\nupstreams = [\n  \"http://a\"\n]\n", "oauth2-proxy", "3:1-3:14"),
            ("OAUTH2_PROXY_CLIENT_SECRET=hunter2\n", "oauth2-proxy", "1:1-1:27"),
            ("providers: [{ id: google }]\nupstreamConfig: { upstreams: [] }\n", "oauth2-proxy", "2:1-2:15"),
            ("{\"injectRequestHeaders\": [], \"providers\": [{\"clientSecret\": \"hunter2\"}]}", "oauth2-proxy", "1:2-1:24"),
            ("theme: light\naccess_control: { default_policy: deny }\nsession: { secret: hunter2 }\n", "Authelia", "2:1-2:15"),
            ("jwt_secret: hunter2\nstorage: { local: { path: /a } }\n", "Authelia", "1:1-1:11"),
        ])
    func otherProduct(text: String, product: String, range: String) throws {
        let finding = try #require(check(text).first)
        #expect(check(text).count == 1)
        #expect(finding.rule == .foreignConfiguration && finding.severity == .error)
        #expect(place(finding, in: text) == range)
        #expect(finding.message == "this file configures \(product), not the gateway")
        let outcome = Linter.check(SourceFile(name: "f.yaml", text: text), surroundings: exampleSurroundings)
        #expect(outcome.configuration == nil)
        #expect(!TextRenderer().render(outcome.report).contains("hunter2"))
    }

    @Test(
        "A file of the gateway is never taken for another product's",
        arguments: [
            "version: 1\nupstreamConfig: {}\n", "version: 1\naccess_control: {}\nnotifier: {}\n", "theme: dark\nstorage: {}\n",
            "upstream = http://a\nother = 1\nscope = a\n", "", "version: 1\nproviders: [\nscope = a\n",
        ])
    func ownFile(text: String) {
        #expect(!check(text).contains { $0.rule == .foreignConfiguration })
    }

    // MARK: Names of providers

    @Test(
        "An everyday name leads to the preset",
        arguments: [
            ("entra", "microsoft.com"), ("Azure-AD", "microsoft.com"), ("adfs", "oidc.adfs"), ("google", "google.com"),
            ("github/partners", "github.com/partners"), ("adfs/b", "oidc.adfs"),
        ])
    func everydayName(name: String, id: String) throws {
        let text = Self.head + Self.provider.replacing("oidc.a", with: name)
        let finding = try #require(check(text).first { $0.rule == .unknownProvider })
        #expect(place(finding, in: text) == "6:9-6:\(9 + name.count)")
        #expect(finding.message == "`\(name)` is not a known provider")
        #expect(finding.label == "did you mean `\(id)`?")
        #expect(finding.help == "write `\(id)`")
    }

    @Test("A run of commas is one finding, whose fix removes all of them", arguments: [1, 3, 100_000])
    func runOfCommas(count: Int) {
        let commas = String(repeating: ",", count: count)
        let text = "version: 1\nserver: { publicURL: https://app.example.com }\nproviders:\n  - id: oidc.acme\n    clientID: web\(commas)\n"
        let source = SourceFile(name: "f", text: text)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics.filter { $0.rule == .trailingComma }
        #expect(found.count == 1)
        #expect(found.first.map { source.text(of: $0.span) } == commas)
    }

    @Test(
        "A secret that begins with a dollar sign is never shown",
        arguments: ["$A1B2C3D4E5F6G7", "$ABCDEFGHIJKLMNOP", "$AB_9KQ7XY2MPL4ZR", "$_ABCDEFG", "$ABCDEF__G"])
    func secretWithDollar(secret: String) {
        let text = "version: 1\nproviders:\n  - { id: oidc.acme, clientID: web, clientSecret: \"\(secret)\" }\n"
        let found = Linter.check(SourceFile(name: "f", text: text), surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.contains { $0.rule == .unresolvedReference })
        #expect(!found.contains { "\($0.message) \($0.help ?? "") \($0.label ?? "")".contains(secret.dropFirst()) })
    }
}
