import Config
import Diagnostics
import Testing

@testable import Lint

/// Commands that need no secret, on a machine that has none.
@Suite struct LazyLoadingTests {
    private static let bare = Surroundings(variable: { _ in nil }, file: { _ in .unreadable(reason: "no such file") })

    private func source(server: String, more: String = "") -> SourceFile {
        SourceFile(
            name: "gateway.yaml",
            text: """
                version: 1
                server: { \(server) }
                upstream: "${env:UPSTREAM}"
                session: { keys: ["${file:./session.key}", "${env:OLD_KEY}"] }
                providers:
                  - { id: oidc.acme, issuer: "${env:ISSUER}", clientID: "${env:ID}", clientSecret: "${env:SECRET}" }
                \(more)
                """)
    }

    private func findings<Success>(_ result: Result<Success, ConfigLoader.Refusal>) -> [String] {
        guard case .failure(let refusal) = result else { return [] }
        return refusal.report.files.flatMap { file in
            file.diagnostics.filter { $0.severity == .error }.map { "\($0.rule.rawValue) \(file.source.position(at: $0.span.start).line)" }
        }
    }

    @Test func `The redirect URI needs publicURL and pathPrefix alone`() throws {
        let file = source(server: "publicURL: https://app.example.com, pathPrefix: /auth", more: "unknown: 1")
        #expect(try ConfigLoader.endpointBase(of: file, surroundings: Self.bare).get() == "https://app.example.com/auth")
    }

    @Test(
        "A publicURL or pathPrefix without a value is reported",
        arguments: [
            ("publicURL: \"${env:PUBLIC_URL}\"", "unresolved-reference 2"),
            ("publicURL: https://app.example.com, pathPrefix: \"${env:PREFIX}\"", "unresolved-reference 2"),
            ("publicURL: app.example.com", "public-url 2"), ("listen: \":4180\"", "missing-key 2"),
        ])
    func unknownBase(server: String, finding: String) {
        #expect(findings(ConfigLoader.endpointBase(of: source(server: server), surroundings: Self.bare)) == [finding])
    }

    @Test func `A file without publicURL and without error is refused, too`() {
        let file = SourceFile(name: "f", text: "version: 1\nroutes: [{ path: /**, access: public, respond: {} }]\n")
        #expect(findings(ConfigLoader.endpointBase(of: file, surroundings: Self.bare)) == ["missing-key 1"])
    }

    @Test func `Only the keys that decide must have a value`() throws {
        let keys = [["server", "listen"], ["admin", "listen"]]
        let fixed = source(server: "publicURL: \"${env:PUBLIC_URL}\", listen: \":4180\"")
        let loaded = try ConfigLoader.load(fixed, surroundings: Self.bare, deciding: keys).get()
        #expect(loaded.configuration.server.listen == [.tcp(host: "", port: 4180)])
        for listen in ["\"${env:LISTEN}\"", "[\":4180\", \"${env:LISTEN}\"]"] {
            let open = source(server: "publicURL: https://app.example.com, listen: \(listen)")
            #expect(findings(ConfigLoader.load(open, surroundings: Self.bare, deciding: keys)) == ["unresolved-reference 2"])
        }
    }

    @Test func `A file with errors is not loaded`() {
        let file = source(server: "publicURL: https://app.example.com", more: "unknown: 1")
        #expect(findings(ConfigLoader.load(file, surroundings: Self.bare, deciding: [])) == ["unknown-key 7"])
    }

    @Test func `The effective configuration names unresolved references and shows no secret`() throws {
        let file = SourceFile(
            name: "gateway.yaml",
            text: """
                version: 1
                server: { publicURL: https://app.example.com }
                upstream: http://127.0.0.1:8080
                session: { keys: ["${file:./session.key}"] }
                providers:
                  - { id: oidc.acme, issuer: https://auth.example.com, clientID: "${env:ID}", clientSecret: "hunter2${env:SECRET}" }
                """)
        let text = try EffectiveConfiguration.text(file, surroundings: Self.bare.optional(.credentials)).get()
        let lines = text.split(separator: "\n").map { String($0).replacing(#/ +# /#, with: " # ") }
        for line in [
            "    clientID: \"${env:ID}\" # env ID (not resolved)", "    clientSecret: \"<redacted>\" # env SECRET (not resolved)",
            "    - \"<redacted>\" # file ./session.key (not resolved)",
        ] { #expect(lines.contains(line), "\(line) in\n\(text)") }
        #expect(!text.contains("hunter2"))
        // As with the secret: no other way to authenticate is shown.
        #expect(!text.contains("clientAuthentication: none"))
    }
}
