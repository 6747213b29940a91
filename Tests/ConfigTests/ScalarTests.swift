import Primitives
import Config
import Diagnostics
import Testing

@Suite struct ScalarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var value: Int64?
        var testDescription: String { text }
        init(_ text: String, _ value: Int64?) {
            self.text = text
            self.value = value
        }
    }

    @Test(
        "A duration is whole numbers with units, each once, the larger first",
        arguments: [
            Case("500ms", 500), Case("30s", 30_000), Case("15m", 900_000), Case("12h", 43_200_000), Case("7d", 604_800_000),
            Case("1h30m", 5_400_000),
            Case("1d1h1m1s1ms", 90_061_001), Case("\"30s\"", 30_000), Case("1m30s500ms", 90_500), Case("1s1ms", 1001),
            Case("30", nil), Case("1.5h", nil), Case("30m1h", nil), Case("1h1h", nil), Case("-1s", nil), Case("+1s", nil), Case("1 s", nil),
            Case("s", nil),
            Case("01s", nil), Case("0s", nil), Case("1S", nil), Case("1w", nil), Case("99999999999999999999s", nil), Case("40000d", nil),
            Case("٣s", nil),
            Case("1h 30m", nil), Case("1µs", nil), Case("9223372036854775807ms1ms", nil), Case("infinity", nil),
        ])
    func durations(example: Case) {
        let reading = read("version: 1\nserver: { timeouts: { idle: \(example.text) } }\n")
        #expect(findings(reading) == (example.value == nil ? ["invalid-value 2:29"] : []))
        #expect(reading.draft.server.timeouts.idle == example.value ?? 75_000)
    }

    @Test(
        "A size is a whole number with B, KiB, MiB or GiB",
        arguments: [
            Case("32KiB", 32_768), Case("10MiB", 10_485_760), Case("1GiB", 1_073_741_824), Case("512B", 512), Case("0B", 0),
            Case("32", nil), Case("32KB", nil), Case("32kib", nil), Case("1.5MiB", nil), Case("-1B", nil), Case("032KiB", nil),
            Case("32 KiB", nil),
            Case("99999999999999999999B", nil), Case("9999999999999GiB", nil), Case("KiB", nil),
        ])
    func sizes(example: Case) {
        let reading = read("version: 1\nserver: { limits: { bodyBytes: \(example.text) } }\n")
        #expect(findings(reading) == (example.value == nil ? ["invalid-value 2:32"] : []))
        #expect(reading.draft.server.limits.bodyBytes == example.value.map { Int($0) })
    }

    @Test(
        "A number is decimal digits without a leading zero",
        arguments: [
            Case("1", 1), Case("10000", 10_000), Case("\"7\"", 7), Case("'7'", 7),
            Case("0123", nil), Case("0x10", nil), Case("0o17", nil), Case("1_000", nil), Case("1e3", nil), Case("+1", nil), Case("-1", nil),
            Case("0", nil),
            Case("10001", nil), Case("1.0", nil), Case("12:30:45", nil), Case("99999999999999999999", nil),
        ])
    func numbers(example: Case) {
        let reading = read("version: 1\nserver: { limits: { headerCount: \(example.text) } }\n")
        #expect(findings(reading) == (example.value == nil ? ["invalid-value 2:34"] : []))
        #expect(reading.draft.server.limits.headerCount == Int(example.value ?? 100))
    }

    @Test(
        "A boolean is true or false, and the words of YAML 1.1 are one finding",
        arguments: [("true", true), ("True", true), ("TRUE", true), ("false", false), ("\"true\"", true)] as [(String, Bool)])
    func booleans(text: String, value: Bool) {
        let reading = read("version: 1\nsession: { refresh: \(text) }\n")
        #expect(findings(reading) == [])
        #expect(reading.draft.session.refresh == value)
    }

    @Test(
        "YAML 1.1 booleans come with a safe fix",
        arguments: [("yes", "true"), ("No", "false"), ("on", "true"), ("OFF", "false"), ("'yes'", "true")])
    func oldBooleans(text: String, meant: String) throws {
        let reading = read("version: 1\nsession: { refresh: \(text) }\n")
        #expect(findings(reading) == ["yaml-1.1-boolean 2:21"])
        #expect(try #require(reading.diagnostics[0].fix) == Fix(safe: true, [.init(replacing: reading.diagnostics[0].span, with: meant)]))
    }

    @Test("Anything else is no boolean", arguments: ["1", "0", "tRUE", "enabled", "[true]"])
    func noBooleans(text: String) {
        #expect(
            findings(read("version: 1\nsession: { refresh: \(text) }\n")) == [text == "[true]" ? "wrong-type 2:21" : "invalid-value 2:21"])
    }

    @Test("In a string field every scalar is a string", arguments: ["12345", "yes", "0123", "1.0", "true", "2024-01-01", "'~'"])
    func strings(text: String) {
        let reading = read("version: 1\nproviders: [{ id: oidc.a, clientID: \(text) }]\n")
        #expect(reading.draft.providers[0].clientID == text.filter { $0 != "'" })
    }

    @Test(
        "A version other than 1 is refused",
        arguments: [
            ("2", "unsupported-version 1:10"), ("1.5", "unsupported-version 1:10"), ("1.0", "unsupported-version 1:10"),
            ("0", "unsupported-version 1:10"),
            ("v1", "invalid-value 1:10"), ("01", "invalid-value 1:10"), ("[1]", "wrong-type 1:10"), ("", "missing-key 1:1"),
            ("~", "missing-key 1:1"),
            ("\"\"", "missing-key 1:1"),
        ])
    func versions(text: String, finding: String) {
        #expect(findings(read("version: \(text)\n")) == [finding])
    }

    @Test("A quoted version is the same version") func quotedVersion() {
        #expect(findings(read("version: \"1\"\n")) == [])
    }

    @Test(
        "An address to listen on",
        arguments: [
            ("127.0.0.1:4180", ListenAddress.tcp(host: "127.0.0.1", port: 4180)), ("\"[::1]:80\"", .tcp(host: "[::1]", port: 80)),
            ("\":8080\"", .tcp(host: "", port: 8080)), ("localhost:1", .tcp(host: "localhost", port: 1)),
            ("unix:/run/a.sock", .unix(path: "/run/a.sock")),
        ])
    func listen(text: String, address: ListenAddress) {
        let reading = read("version: 1\nserver: { listen: \(text) }\n")
        #expect(findings(reading) == [])
        #expect(reading.draft.server.listen == [address])
        #expect(read("version: 1\nserver: { listen: [\(text)] }\n").draft.server.listen == [address])
    }

    @Test(
        "What is no address to listen on",
        arguments: [
            "4180", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+80", "\"::1:80\"", "256.0.0.1:80", "unix:run", "\"unix:\"",
            "http://a:80",
            "\"[::1]\"", "\"[::1]x:80\"", "\"a b:80\"", "127.0.0.1:080",
        ])
    func noListen(text: String) {
        #expect(findings(read("version: 1\nserver: { listen: \(text) }\n")) == ["invalid-value 2:19"])
    }

    @Test(
        "An upstream is an origin or a socket",
        arguments: [
            ("http://127.0.0.1:8080", UpstreamAddress(scheme: .http, endpoint: .tcp(host: "127.0.0.1", port: 8080))),
            ("http://app", UpstreamAddress(scheme: .http, endpoint: .tcp(host: "app", port: 80))),
            ("http://app/", UpstreamAddress(scheme: .http, endpoint: .tcp(host: "app", port: 80))),
            ("https://app", UpstreamAddress(scheme: .https, endpoint: .tcp(host: "app", port: 443))),
            ("h2c://[::1]:50051", UpstreamAddress(scheme: .h2c, endpoint: .tcp(host: "[::1]", port: 50051))),
            ("unix:/run/app.sock", UpstreamAddress(scheme: .http, endpoint: .unix(path: "/run/app.sock"))),
        ])
    func upstreams(text: String, address: UpstreamAddress) {
        let reading = read("version: 1\nupstream: \(text)\n")
        #expect(findings(reading) == [])
        #expect(reading.draft.upstream?.targets == [address])
    }

    @Test(
        "What is no upstream",
        arguments: [
            "app:8080", "http://app/path", "http://app?x", "http://user@app", "ftp://app", "http://", "http://app:99999", "http://a b",
            "http://app#x",
            "http://-app", "http://1.2.3", "http://1.2.3.4.5", "//app", "http:app", "http://app\\x",
        ])
    func noUpstreams(text: String) {
        #expect(findings(read("version: 1\nupstream: \"\(text.replacing("\\", with: "\\\\"))\"\n")) == ["invalid-value 2:11"])
    }

    @Test(
        "A public URL is an https origin, or http on loopback",
        arguments: [
            ("https://app.example.com", "https://app.example.com"), ("https://APP.example.com:443", "https://app.example.com"),
            ("https://app.example.com:8443", "https://app.example.com:8443"), ("http://localhost:4180", "http://localhost:4180"),
            ("http://127.0.0.1", "http://127.0.0.1"), ("http://127.1.2.3:80", "http://127.1.2.3"),
            ("http://[::1]:4180", "http://[::1]:4180"),
            ("http://app.localhost:4180", "http://app.localhost:4180"), ("https://10.0.0.1", "https://10.0.0.1"),
        ])
    func publicURLs(text: String, origin: String) {
        let reading = read("version: 1\nserver: { publicURL: \"\(text)\" }\n")
        #expect(findings(reading) == [])
        #expect(reading.draft.server.publicURL?.text == origin)
    }

    @Test(
        "What is no public URL",
        arguments: [
            "http://app.example.com", "https://app.example.com/", "https://app.example.com/x", "https://app.example.com?x",
            "app.example.com",
            "https://user@app.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com", "https://", "ftp://app",
            "https://app#x",
            "http://[::2]", "https://a..b", "https://[::1", "http://0.0.0.0",
        ])
    func noPublicURLs(text: String) {
        let reading = read("version: 1\nserver: { publicURL: \"\(text)\" }\n")
        #expect(findings(reading) == ["public-url 2:22"])
        #expect(reading.draft.server.publicURL == nil)
    }

    @Test(
        "An issuer keeps its bytes",
        arguments: [
            "https://auth.example.com", "https://auth.example.com/", "https://Auth.Example.com/realms/x", "http://localhost:5556/dex",
        ])
    func issuers(text: String) {
        let reading = read("version: 1\nproviders: [{ id: oidc.a, clientID: b, issuer: \"\(text)\" }]\n")
        #expect(findings(reading) == [])
        #expect(reading.draft.providers[0].issuer == text)
    }

    @Test(
        "What is no issuer, OpenID Connect Discovery 1.0 section 3",
        arguments: [
            ("https://a.example?x", "invalid-issuer"), ("https://a.example#x", "invalid-issuer"), ("https://u@a.example", "invalid-issuer"),
            ("https://a.example/.well-known/openid-configuration", "invalid-issuer"), ("a.example", "invalid-issuer"),
            ("http://a.example", "insecure-url"),
            ("http://a.example/.well-known/openid-configuration", "invalid-issuer"), ("https:///x", "invalid-issuer"),
        ])
    func noIssuers(text: String, rule: String) {
        #expect(findings(read("version: 1\nproviders: [{ id: oidc.a, clientID: b, issuer: \"\(text)\" }]\n")) == ["\(rule) 2:48"])
    }

    @Test(
        "A private key in place of its path is refused and not shown",
        arguments: [
            "\"${file:./tls.key}\"", "\"-----BEGIN PRIVATE KEY-----\\nMIGH\"", "-----BEGIN PRIVATE KEY----- MIGH",
            "\"/etc/tls\\r/key\"", "\"/etc/tls\\0/key\"", "\"/etc/tls\\x7f/key\"",
        ])
    func contentInPlaceOfAPath(text: String) {
        let reading = read("version: 1\nserver: { tls: { certificate: a.crt, key: \(text) } }\n")
        #expect(reading.diagnostics.map(\.rule) == [.invalidValue])
        #expect(!reading.diagnostics.contains { $0.message.contains("MIGH") })
    }

    @Test("A path pattern", arguments: ["/", "/**", "/a/*/b", "/{id}/x", "/a/", "/%20", "/a.b-c_d~e", "/**/x", "/a:b@c"])
    func patterns(text: String) {
        #expect(findings(read("version: 1\nroutes: [{ path: \"\(text)\" }]\n")) == [])
    }

    @Test(
        "What is no path pattern",
        arguments: [
            "a", "*", "/a*", "/**x", "//", "/a//b", "/{}", "/{a", "/a}", "/{a}/{a}", "/x{a}", "/../a", "/a/.", "/a?b", "/a#b",
            "/a b",
        ])
    func noPatterns(text: String) {
        #expect(findings(read("version: 1\nroutes: [{ path: \"\(text)\" }]\n")) == ["invalid-value 2:18"])
    }

    @Test(
        "An address pattern ends in one domain",
        arguments: [
            ("alice@example.com", nil), ("*@example.com", nil), ("*example.com", "unanchored-domain"),
            ("*.example.com", "unanchored-domain"),
            ("*", "unanchored-domain"), ("*@*", "unanchored-domain"), ("**@example.com", "invalid-value"), ("*@", "unanchored-domain"),
            ("@example.com", "invalid-value"), ("example.com", "invalid-value"), ("a*@example.com", "invalid-value"),
            ("a@b@example.com", "invalid-value"),
            ("*@*.example.com", "unanchored-domain"),
        ] as [(String, String?)])
    func addresses(text: String, rule: String?) {
        let found = findings(read("version: 1\nroutes: [{ path: /, access: { emails: [\"\(text)\"] } }]\n"))
        #expect(found == (rule.map { ["\($0) 2:40"] } ?? []))
    }

    @Test(
        "A session key is base64 of at least 32 bytes that differ",
        arguments: [
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=", nil), ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA", nil),
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJ-_", nil),
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJB=", "invalid-value"), ("not base64!", "invalid-value"),
            ("c2hvcnQ=", "weak-secret"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "weak-secret"),
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeA==", "weak-secret"),
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA= ", "invalid-value"),
            ("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ=83vEjRWeJA", "invalid-value"),
        ] as [(String, String?)])
    func sessionKeys(text: String, rule: String?) {
        let reading = read("version: 1\nsession: { keys: [\"\(text)\"] }\n")
        #expect(findings(reading) == (rule.map { ["\($0) 2:19"] } ?? []))
        #expect(reading.draft.session.keys.count == (rule == nil ? 1 : 0))
        for finding in reading.diagnostics { #expect(!finding.message.contains(text) && !(finding.help ?? "").contains(text)) }
    }

    @Test(
        "A network is in CIDR notation, RFC 4632 and RFC 4291",
        arguments: [
            ("10.0.0.0/8", true), ("0.0.0.0/0", true), ("10.0.0.1/32", true), ("2001:db8::/32", true), ("::/0", true),
            ("::ffff:10.0.0.0/104", true),
            ("fe80::1/128", true), ("10.0.0.1", false), ("::ffff:0:0/90", false), ("10.0.0.0/33", false), ("10.0.0/8", false),
            ("010.0.0.0/8", false),
            ("10.0.0.0/08", false),
            ("10.0.0.0/", false), ("::/129", false), (":::/0", false), ("1::2::3/64", false), ("fe80::1%eth0/64", false),
            ("1:2:3:4:5:6:7:8:9/64", false),
            ("12345::/16", false), ("10.0.0.0/-1", false), ("example.com/8", false), ("10.0.0.0/8/8", false),
            ("1:2:3:4:5:6:7::8/64", false),
        ])
    func networks(text: String, isNetwork: Bool) {
        #expect(findings(read("version: 1\nserver: { trustedProxies: [\"\(text)\"] }\n")) == (isNetwork ? [] : ["invalid-value 2:28"]))
    }

    @Test(
        "A cookie domain is no URL, no address and no public suffix",
        arguments: [
            ("example.com", true), (".example.com", true), ("app.example.co.uk", true), ("com", false), ("co.uk", false),
            ("github.io", false),
            ("https://example.com", false), ("example.com:443", false), ("10.0.0.1", false), ("exa mple.com", false), ("-a.com", false),
        ])
    func cookieDomains(text: String, isAllowed: Bool) {
        #expect(findings(read("version: 1\nsession: { cookie: { domain: \"\(text)\" } }\n")) == (isAllowed ? [] : ["cookie-domain 2:30"]))
    }
}
