import Config
import Diagnostics
import Foundation
import Glibc
import Testing

@testable import Lint

@Suite struct OnlineTests {
    private static let text = Rule.Example("").completed
    private static let source = SourceFile(name: "gateway.yaml", text: text)

    private func findings(_ source: SourceFile = source, _ change: (inout OnlineExample) -> Void) -> [Diagnostic] {
        let plan = OnlinePlan(source, surroundings: exampleSurroundings)
        let answers = OnlineExample(change).answers(for: plan.providers.map(\.id), upstreams: plan.upstreams)
        return Linter.check(source, surroundings: exampleSurroundings, answers: answers).findings.diagnostics
    }

    @Test func `A provider that answers as it should has no finding`() { #expect(findings { _ in }.isEmpty) }

    @Test func `A mismatch of issuers prints both strings`() throws {
        let finding = try #require(findings { $0.metadata["issuer"] = "\"https://auth.example.com/\"" }.first)
        #expect(finding.rule == .issuerMismatch)
        #expect(finding.severity == .error)
        #expect(finding.message.contains("`https://auth.example.com/`") && finding.message.contains("`https://auth.example.com`"))
        #expect(finding.fix?.isSafe == false)
    }

    @Test(
        "What a discovery document says",
        arguments: [
            ("code_challenge_methods_supported", nil, [RuleName.pkceUnsupported]),
            ("code_challenge_methods_supported", "[]", [.pkceUnsupported]),
            ("code_challenge_methods_supported", "[\"S256\"]", []), ("scopes_supported", nil, []), ("scopes_supported", "[]", []),
            ("scopes_supported", "[\"openid\"]", [.scopeUnsupported, .scopeUnsupported]),
            ("token_endpoint_auth_methods_supported", nil, []),
            ("token_endpoint_auth_methods_supported", "[\"private_key_jwt\"]", [.clientAuthenticationUnsupported]),
            ("token_endpoint_auth_methods_supported", "[\"client_secret_post\"]", []),
            ("response_types_supported", "[\"token\"]", [.codeFlowUnsupported]), ("response_modes_supported", nil, []),
            ("jwks_uri", nil, [.discoveryUnreachable]), ("issuer", "1", [.discoveryUnreachable]),
            ("token_endpoint", "\"https://auth.example.com/t\"", []), ("userinfo_endpoint", "\"http://a.example/u\"", [.insecureEndpoint]),
            ("userinfo_endpoint", "\"http://127.0.0.1:1/u\"", []), ("id_token_signing_alg_values_supported", "[\"ES256\"]", [.noUsableKey]),
            ("id_token_signing_alg_values_supported", nil, []), ("id_token_signing_alg_values_supported", "[\"none\", \"RS256\"]", []),
        ] as [(String, String?, [RuleName])])
    func metadata(member: String, value: String?, expected: [RuleName]) {
        #expect(findings { $0.metadata[member] = value }.map(\.rule) == expected)
    }

    @Test(
        "Keys that can verify an ID token",
        arguments: [
            ("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"wQ\",\"e\":\"AQAB\"}]}", true), ("{\"keys\":[]}", false), ("[]", false), ("{", false),
            ("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"wQ\",\"e\":\"AQAB\",\"alg\":\"RS512\"}]}", false),
            ("{\"keys\":[{\"kty\":\"RSA\"}]}", false),
            ("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"a\",\"y\":\"b\"}]}", true),
            ("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-384\",\"x\":\"a\",\"y\":\"b\"}]}", false),
            ("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"a\"}]}", false),
            ("{\"keys\":[{\"kty\":\"oct\",\"k\":\"a\"}, {\"kty\":\"RSA\",\"use\":\"sig\",\"n\":\"wQ\",\"e\":\"AQAB\"}]}", true),
        ])
    func keys(keys: String, isUsable: Bool) {
        #expect(findings { $0.keys = keys }.map(\.rule) == (isUsable ? [] : [.noUsableKey]))
    }

    @Test(
        "A clock may be a minute off",
        arguments: [(0, false), (60_000, false), (-60_000, false), (62_000, true), (-62_000, true)] as [(Int64, Bool)])
    func clock(milliseconds: Int64, isReported: Bool) {
        #expect(findings { $0.receivedAt += milliseconds }.map(\.rule) == (isReported ? [.clockSkew] : []))
    }

    @Test(
        "The Date field is read as RFC 9110 section 5.6.7 writes it",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil), ("", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
            ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)])
    func date(text: String, seconds: Int64?) { #expect(DateField.seconds(text) == seconds) }

    @Test func `What cannot be fetched is one finding, with the address and the reason`() throws {
        let plan = OnlinePlan(Self.source, surroundings: exampleSurroundings)
        #expect(plan.providers.map(\.discoveryURL) == ["https://auth.example.com/.well-known/openid-configuration"])
        var answers = OnlineAnswers()
        answers.providers["oidc.acme"] = .init(discovery: .failure(reason: "no answer within 5 s"))
        let found = Linter.check(Self.source, surroundings: exampleSurroundings, answers: answers).findings.diagnostics
        #expect(found.map(\.rule) == [.discoveryUnreachable])
        #expect(found.first?.message.contains("no answer within 5 s") == true)
        #expect(found.first?.help?.contains("https://auth.example.com/.well-known/openid-configuration") == true)
    }

    @Test(
        "Keys are fetched over https only, or from loopback",
        arguments: [
            ("https://auth.example.com/keys", true), ("http://auth.example.com/keys", false), ("http://127.0.0.1:9/keys", true),
            ("file:///etc/passwd", false),
            ("https://user:password@auth.example.com/keys", false), ("", false),
        ])
    func keysURL(url: String, isFetched: Bool) {
        let provider = OnlinePlan(Self.source, surroundings: exampleSurroundings).providers[0]
        let discovery = OnlineExample { $0.metadata["jwks_uri"] = "\"\(url)\"" }.answers(for: ["a"], upstreams: []).providers["a"]?
            .discovery
        #expect(provider.keysURL(discovery: discovery) == (isFetched ? url : nil))
    }

    @Test func `Disabled providers, plain OAuth and what cannot be read are not asked`() {
        let text = """
            version: 1
            upstream: http://127.0.0.1:8080
            providers:
              - { id: oidc.off, issuer: https://a.example.com, clientID: a, clientSecret: "${env:A}", enabled: false }
              - { id: oidc.bad, issuer: "${env:UNSET}", clientID: a, clientSecret: "${env:A}" }
              - { id: github.com, clientID: a, clientSecret: "${env:A}" }
              - { id: oidc.asked, issuer: https://b.example.com/, clientID: a, clientSecret: "${env:A}" }
            routes: [{ path: /a, upstream: http://127.0.0.1:8080 }, { path: /b, upstream: "unix:/run/b.sock" }]
            """
        let plan = OnlinePlan(SourceFile(name: "f", text: text), surroundings: exampleSurroundings)
        #expect(plan.providers.map(\.id) == ["oidc.asked"])
        #expect(plan.providers.first?.discoveryURL == "https://b.example.com/.well-known/openid-configuration")
        #expect(plan.upstreams.count == 2)
    }

    @Test func `A comment about the network is not unused when the network was not asked`() {
        let text = "# gateway-ignore: upstream-unreachable it starts later\nupstream: http://127.0.0.1:8080\n"
        let source = SourceFile(name: "f", text: Rule.Example(text).completed)
        #expect(Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics.isEmpty)
        #expect(findings(source) { $0.unreachableUpstream = "connection refused" }.isEmpty)
        #expect(findings(source) { _ in }.map(\.rule) == [.unusedIgnore])
    }

    @Test func `A connection is tried and nothing is sent`() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(listener, $0, size) == 0)
                #expect(getsockname(listener, $0, &size) == 0)
            }
        }
        let port = Int(UInt16(bigEndian: address.sin_port))
        #expect(await ConnectionProbe.failure(at: .tcp(host: "127.0.0.1", port: port), limit: .seconds(5)) == "connection refused")
        #expect(listen(listener, 1) == 0)
        #expect(await ConnectionProbe.failure(at: .tcp(host: "127.0.0.1", port: port), limit: .seconds(5)) == nil)
        let accepted = accept(listener, nil, nil)
        defer { close(accepted) }
        var byte: UInt8 = 0
        #expect(recv(accepted, &byte, 1, 0) == 0)
    }

    @Test func `A socket that does not exist is reported as missing`() async {
        #expect(await ConnectionProbe.failure(at: .unix(path: "/nonexistent/gateway.sock"), limit: .seconds(5)) == "no such socket")
        let reason = await ConnectionProbe.failure(at: .unix(path: "/" + String(repeating: "x", count: 200)), limit: .seconds(5))
        #expect(reason == "the path is too long")
    }
}
