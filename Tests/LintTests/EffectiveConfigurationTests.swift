import Config
import Diagnostics
import Foundation
import Testing
import YAML

@testable import Lint

@Suite struct EffectiveConfigurationTests {
    private func text(_ yaml: String, _ surroundings: Surroundings = exampleSurroundings) throws -> String {
        try EffectiveConfiguration.text(SourceFile(name: "gateway.yaml", text: yaml), surroundings: surroundings).get()
    }

    /// The lines without the padding in front of the comments.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0).replacing(#/ +# /#, with: " # ") }
    }

    private static let example = """
        version: 1
        server: { publicURL: https://app.example.com }
        upstream: ${env:APP}
        providers:
          - id: oidc.acme
            issuer: "https://auth.example.com"
            clientID: ${env:UNSET_CLIENT:-acme}
            clientSecret: ${env:ACME_SECRET}
            scopes: [mail.read]
            customParameters: { prompt: "login", hint: "${env:HINT}" }
        session: { keys: ["${file:./session.key}"], idleTimeout: 30m }
        identity: { headers: { X-User: "{{ username }}" } }
        routes:
          - path: /admin/**
            access: { groups: [admins], emails: ["*@example.com"] }
        """

    private static let machine = Surroundings(
        variable: { ["APP": "http://127.0.0.1:8080", "ACME_SECRET": "hunter2-hunter2", "HINT": "hunter2"][$0] },
        file: exampleSurroundings.file)

    @Test func `Each value has its origin, and defaults are filled in`() throws {
        let lines = lines(try text(Self.example, Self.machine))
        for expected in [
            "version: 1 # gateway.yaml:1", "  publicURL: https://app.example.com # gateway.yaml:2", "  listen: 127.0.0.1:4180 # default",
            "    header: 10s # default", "  listen: 127.0.0.1:9180 # default", "upstream: http://127.0.0.1:8080 # env APP",
            "  - id: oidc.acme # gateway.yaml:5", "    issuer: https://auth.example.com # gateway.yaml:6",
            "    clientID: acme # gateway.yaml:7",
            "    enabled: true # default", "      - openid # preset oidc.acme", "      - mail.read # gateway.yaml:9",
            "      prompt: \"login\" # gateway.yaml:10", "      subject: sub # preset oidc.acme", "  idleTimeout: 30m # gateway.yaml:11",
            "  absoluteTimeout: 24h # default", "    X-User: \"{{ username }}\" # gateway.yaml:12", "    name: session # default",
            "      - admins # gateway.yaml:15".replacing("      -", with: "        -"), "        - \"*@example.com\" # gateway.yaml:15",
            "onUnauthenticated: auto # default", "  level: info # default",
        ] { #expect(lines.contains(expected), "\(expected) in\n\(lines.joined(separator: "\n"))") }
    }

    @Test func `What routes do is printed with its origin, and a body from a file is not shown`() throws {
        let lines = lines(
            try text(
                """
                version: 1
                upstream: http://127.0.0.1:8080
                responseHeaders: { set: { X-Frame-Options: DENY } }
                routes:
                  - path: /api/**
                    access: public
                    stripPrefix: /api
                    requestHeaders: { set: { X-Tenant: "a {{ uid }}" }, remove: [X-Debug] }
                    cors: { origins: [https://spa.example.com] }
                    timeouts: { idle: 10m }
                  - path: /**
                    access: public
                    respond: { body: "${file:./session.key}" }
                """))
        for expected in [
            "    X-Frame-Options: \"DENY\" # gateway.yaml:3", "    stripPrefix: /api # gateway.yaml:7",
            "        X-Tenant: \"a {{ uid }}\" # gateway.yaml:8", "        - X-Debug # gateway.yaml:8",
            "        - https://spa.example.com # gateway.yaml:9", "      credentials: true # default", "      maxAge: 10m # default",
            "      idle: 10m # gateway.yaml:10", "      status: 200 # default", "      body: \"<redacted>\" # file ./session.key",
            "    bodyRate: 64B # default", "    rateWindow: 20s # default", "  proxyProtocol: off # default",
        ] { #expect(lines.contains(expected), "\(expected) in\n\(lines.joined(separator: "\n"))") }
    }

    @Test func `Secrets, and what may be one, are redacted`() throws {
        let text = try text(Self.example, Self.machine)
        let lines = lines(text)
        #expect(lines.contains("    clientSecret: \"<redacted>\" # env ACME_SECRET"))
        #expect(lines.contains("    - \"<redacted>\" # file ./session.key"))
        #expect(lines.contains("      hint: \"<redacted>\" # env HINT"))
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("q83v"))
    }

    @Test func `A literal secret and one behind a default are redacted`() throws {
        let text = try text(
            """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            providers:
              - { id: oidc.a, issuer: https://a.example.com, clientID: a, clientSecret: hunter2-hunter2 }
              - { id: oidc.b, issuer: https://b.example.com, clientID: b, clientSecret: "${env:UNSET:-hunter2-hunter2}" }
            """)
        #expect(!text.contains("hunter2"))
        #expect(text.contains("\"<redacted>\""))
    }

    @Test func `A configuration with errors has no effective one`() {
        let result = EffectiveConfiguration.text(SourceFile(name: "f", text: "version: 2\n"), surroundings: exampleSurroundings)
        guard case .failure(let refusal) = result else {
            Issue.record("it has one")
            return
        }
        #expect(refusal.report.errorCount > 0)
    }

    @Test("The output is YAML that means the same, secrets apart", arguments: GoldenTests.fixtures("ok"))
    func roundTrip(fixture: String) throws {
        let bytes = Array(try Data(contentsOf: GoldenTests.root.appendingPathComponent(fixture)))
        let text = try EffectiveConfiguration.text(SourceFile(name: fixture, bytes: bytes), surroundings: exampleSurroundings).get()
        let report = Linter.check(SourceFile(name: "again.yaml", text: text), surroundings: exampleSurroundings).findings
        let unexpected = report.diagnostics.filter { finding in
            finding.severity == .error && !report.source.text(of: finding.span).contains("<redacted>")
        }
        #expect(unexpected.isEmpty, "\(unexpected) in\n\(text)")
        #expect(!text.contains("value-of-") || fixture.contains("contract") == false)
    }

    @Test(
        "A string is written so that it is read as itself",
        arguments: [
            "a", "true", "No", "12", "1e3", "0x1F", "12:30", "2026-11-21", "", " a", "a: b", "a #b", "~", "- a", "*a", "a\nb", "\u{7}", "é",
            "\"", "\\", "\u{2028}", "[a]", "null", "/x/**", "a:", "127.0.0.1:80", "日本", "1_000", ".5", "%a", "@a", "`a`", "\u{1F600}",
        ])
    func scalars(text: String) {
        let parsed = YAMLParser.parse(SourceFile(name: "f", text: "k: \(YAMLPrinter.scalar(text))  # c\n"))
        #expect(parsed.diagnostics.isEmpty)
        let scalar = parsed.root?.mapping?.entries.first?.value.scalar
        #expect(scalar?.text == text)
        #expect(scalar?.isNull == false)
        if ["true", "No", "12", "1e3", "0x1F", "12:30", "2026-11-21", "null", "1_000", ".5"].contains(text) {
            #expect(scalar?.style == .doubleQuoted)
        }
    }
}
