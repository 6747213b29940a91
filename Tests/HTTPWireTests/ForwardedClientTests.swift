import Primitives
import HTTPWire
import TestTools
import Testing

@Suite struct ForwardedClientTests {
    private static let trusted = CIDRSet(["10.0.0.0/8", "fd00::/8"])!

    private struct Outcome: Equatable {
        var client: String
        var scheme = ClientResolution.Scheme.http
        var host: String?
        var forwardedFor: String
        var forwarded = ""
    }

    private func resolve(
        peer: String = "10.0.0.1", xff: String? = nil, proto: String? = nil, host: String? = nil, forwarded: String? = nil
    ) -> Outcome {
        var fields = ForwardingFields()
        fields.xForwardedFor = xff.map { Array($0.utf8) }
        fields.xForwardedProto = proto.map { Array($0.utf8) }
        fields.xForwardedHost = host.map { Array($0.utf8) }
        fields.forwarded = forwarded.map { Array($0.utf8) }
        let address = NetworkAddress(peer)!
        let resolution = ClientResolution(
            peer: .init(address, in: Self.trusted), connectionScheme: .http, trusted: Self.trusted, fields: fields)
        var chain: [UInt8] = []
        resolution.appendForwardedFor(peerText: peer.utf8, to: &chain)
        var element: [UInt8] = []
        resolution.appendForwarded(peer: address, to: &element)
        return Outcome(
            client: resolution.clientText, scheme: resolution.scheme,
            host: resolution.forwardedHost.map { String(decoding: $0, as: UTF8.self) },
            forwardedFor: String(decoding: chain, as: UTF8.self), forwarded: String(decoding: element, as: UTF8.self))
    }

    @Test("CVE-2024-21494, CVE-2026-33495: nothing that an untrusted peer says is looked at")
    func untrusted() {
        let outcome = resolve(
            peer: "203.0.113.9", xff: "192.0.2.1", proto: "https", host: "evil.example",
            forwarded: "for=192.0.2.1;proto=https;host=evil.example")
        #expect(outcome == Outcome(client: "203.0.113.9", forwardedFor: "203.0.113.9"))
    }

    @Test(
        "RFC 7239 section 8.1: the client is the rightmost hop that is not trusted",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1, 10.0.0.2", "192.0.2.1"), ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1, 10.0.0.3, 10.0.0.2", "192.0.2.1"), ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
            ("127.0.0.1, 192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:4711", "192.0.2.1"), ("[2001:db8::1]:4711", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("2001:db8::1, fd00::1", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("  192.0.2.1\t,\t10.0.0.2 ", "192.0.2.1"),
        ])
    func walk(_ chain: String, _ client: String) {
        #expect(resolve(xff: chain) == Outcome(client: client, forwardedFor: chain + ", 10.0.0.1"))
    }

    @Test(
        "CVE-2024-47070: what is not an address ends the walk at the last address before it",
        arguments: [
            ("a", "10.0.0.1"), ("192.0.2.1, unknown", "10.0.0.1"), ("192.0.2.1, _hidden, 10.0.0.2", "10.0.0.2"),
            ("192.0.2.1,, 10.0.0.2", "10.0.0.2"),
            ("192.0.2.1, ", "10.0.0.1"), (",", "10.0.0.1"), ("192.0.2.1, 10.0.0.999, 10.0.0.2", "10.0.0.2"),
            ("192.0.2.1, fe80::1%eth0", "10.0.0.1"),
            ("192.0.2.1, \"10.0.0.2\"", "10.0.0.1"), ("192.0.2.1 10.0.0.2", "10.0.0.1"), ("192.0.2.1:", "10.0.0.1"),
            ("192.0.2.1:port", "10.0.0.1"),
            ("[192.0.2.1]", "10.0.0.1"), ("[::1", "10.0.0.1"), ("192.0.2.1:123456", "10.0.0.1"),
        ])
    func malformed(_ chain: String, _ client: String) {
        #expect(resolve(xff: chain).client == client)
    }

    @Test("CVE-2026-46415: with no, one and two trusted hops the client is the same")
    func hops() {
        #expect(resolve(peer: "192.0.2.1").client == "192.0.2.1")
        #expect(resolve(xff: "192.0.2.1").client == "192.0.2.1")
        #expect(resolve(xff: "192.0.2.1, 10.0.0.2").client == "192.0.2.1")
    }

    @Test(
        "Scheme and host are those of the client's hop when each proxy added one, else the nearest proxy's",
        arguments: [
            ("192.0.2.1", "https", true), ("192.0.2.1", "HTTPS", true), ("192.0.2.1", "http", false), ("192.0.2.1", "ftp", false),
            ("192.0.2.1", "", false),
            ("192.0.2.1, 10.0.0.2", "https, http", true), ("192.0.2.1, 10.0.0.2", "http, https", false),
            ("192.0.2.1, 10.0.0.2", "https", true),
            ("9.9.9.9, 192.0.2.1", "https, http", false), ("9.9.9.9, 192.0.2.1, 10.0.0.2", "http, https, http", true),
            ("192.0.2.1", "https, http", false), ("192.0.2.1", "wss", true),
        ])
    func scheme(_ chain: String, _ proto: String, _ isSecure: Bool) {
        #expect(resolve(xff: chain, proto: proto).scheme == (isSecure ? .https : .http))
    }

    @Test(
        "A host that is not one is not taken",
        arguments: [
            ("app.example.com", "app.example.com"), ("app.example.com:8443", "app.example.com:8443"),
            ("[2001:db8::1]:80", "[2001:db8::1]:80"), ("", nil),
            ("a b", nil), ("a/b", nil), ("user@host", nil), ("a\u{e9}", nil), ("a%2f", nil), ("a\\b", nil),
            ("evil.example, app.example.com", "app.example.com"), (String(repeating: "a", count: 300), nil),
        ] as [(String, String?)])
    func host(_ value: String, _ expected: String?) {
        #expect(resolve(xff: "192.0.2.1", host: value).host == expected)
        #expect(resolve(host: value).host == expected)
    }

    @Test(
        "RFC 7239 sections 4 and 6: elements are read with their quotes, ports and identifiers",
        arguments: [
            ("for=192.0.2.1", "192.0.2.1"), ("For=\"192.0.2.1\"", "192.0.2.1"), ("for=\"192.0.2.1:4711\"", "192.0.2.1"),
            ("for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"), ("for=\"[2001:db8::1]\"", "2001:db8::1"),
            ("for=192.0.2.1;proto=https;by=203.0.113.43", "192.0.2.1"), ("by=\"_x,y\";for=192.0.2.1", "192.0.2.1"),
            ("for=192.0.2.1, for=10.0.0.2", "192.0.2.1"), ("for=198.51.100.17,for=192.0.2.1,for=\"[fd00::1]\"", "192.0.2.1"),
            ("for=unknown", "10.0.0.1"),
            ("for=192.0.2.1, for=unknown, for=10.0.0.2", "10.0.0.2"), ("for=_SEVKISEK", "10.0.0.1"),
            ("for=192.0.2.1, for=_gazonk", "10.0.0.1"),
            ("for=\"_gazonk:_port\", for=10.0.0.3", "10.0.0.3"), ("secret=x;for=192.0.2.1", "192.0.2.1"), ("proto=https", "10.0.0.1"),
        ])
    func forwarded(_ value: String, _ client: String) {
        #expect(resolve(forwarded: value).client == client)
    }

    @Test(
        "A malformed element ends the walk, and an unclosed quote at the beginning hides nothing that follows it",
        arguments: [
            ("for=\"192.0.2.1, for=10.0.0.2", "10.0.0.2"), ("for=\", for=192.0.2.1", "192.0.2.1"),
            ("for=\", for=\"[2001:db8::1]\"", "2001:db8::1"),
            ("for=192.0.2.1;for=192.0.2.2", "10.0.0.1"), ("for=", "10.0.0.1"), ("for", "10.0.0.1"), ("=192.0.2.1", "10.0.0.1"),
            ("for = 192.0.2.1", "10.0.0.1"),
            ("for=192.0.2.1;", "10.0.0.1"), (";for=192.0.2.1", "10.0.0.1"), ("for=2001:db8::1", "10.0.0.1"),
            ("for=[2001:db8::1]", "10.0.0.1"),
            ("for=192.0.2.1, , for=10.0.0.2", "10.0.0.2"), ("for=\"192.0.2\\.1\"", "10.0.0.1"), ("for=\"192.0.2.1\"x", "10.0.0.1"),
            ("\"", "10.0.0.1"),
            ("\"\"", "10.0.0.1"), ("for=192.0.2.1, for=\"", "10.0.0.1"),
        ])
    func malformedForwarded(_ value: String, _ client: String) {
        #expect(resolve(forwarded: value).client == client)
    }

    @Test("The chain of a trusted peer is kept and the peer appended, bracketed and quoted when it is IPv6")
    func chain() {
        let outcome = resolve(peer: "fd00::9", forwarded: "for=192.0.2.1;proto=https;host=\"app.example.com:8443\"")
        #expect(
            outcome
                == Outcome(
                    client: "192.0.2.1", scheme: .https, host: "app.example.com:8443", forwardedFor: "192.0.2.1, fd00::9",
                    forwarded: "for=192.0.2.1;proto=https;host=\"app.example.com:8443\", for=\"[fd00::9]\""))
        #expect(resolve(forwarded: "for=10.0.0.2").forwarded == "for=10.0.0.2, for=10.0.0.1")
    }

    @Test("With X-Forwarded-For a Forwarded field is neither believed nor sent on")
    func both() {
        let outcome = resolve(xff: "192.0.2.1", forwarded: "for=198.51.100.1;proto=https;host=evil.example")
        #expect(outcome == Outcome(client: "192.0.2.1", forwardedFor: "192.0.2.1, 10.0.0.1"))
    }

    @Test("A Unix socket is trusted only where the configuration says so, and has no address")
    func unixSocket() {
        func resolve(_ isTrusted: Bool) -> (String, String) {
            var fields = ForwardingFields()
            fields.xForwardedFor = Array("192.0.2.1".utf8)
            let resolution = ClientResolution(
                peer: .local(isTrusted: isTrusted), connectionScheme: .http, trusted: Self.trusted, fields: fields)
            var output: [UInt8] = []
            resolution.appendForwardedFor(peerText: "unknown".utf8, to: &output)
            return (resolution.clientText, String(decoding: output, as: UTF8.self))
        }
        #expect(resolve(false) == ("unknown", "unknown"))
        #expect(resolve(true) == ("192.0.2.1", "192.0.2.1, unknown"))
    }

    @Test("Junk in every field crashes nothing and never names a client that an untrusted hop invented")
    func junk() {
        var random = SeededGenerator(fixed: 11)
        let alphabet = Array("for=\"\\[]:;,. _10unkow%\t".utf8)
        for _ in 0..<4_000 {
            let bytes = (0..<Int(random.next() % 40)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            let text = String(decoding: bytes, as: UTF8.self)
            // A trusted proxy appended a hop that is not trusted: nothing before it counts.
            #expect(resolve(xff: text + ", 192.0.2.1").client == "192.0.2.1")
            #expect(resolve(forwarded: text + ", for=192.0.2.1").client == "192.0.2.1")
            _ = resolve(xff: text, proto: text, host: text)
        }
    }
}
