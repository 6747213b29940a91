import Testing

@testable import HTTPWire

@Suite("Names of TLS connections")
struct TLSIdentityTests {
    private func covers(_ authority: String, serverName: String?, names: [String]) -> Bool {
        let identity = TLSIdentity(serverName: serverName, names: CertificateNames(names))
        return identity.covers(authority: authority.utf8.span.bytes)
    }

    @Test(
        "A request is for the connection's own name or for one that its certificate has (RFC 9110 section 7.4)",
        arguments: [
            ("a.example", true), ("A.EXAMPLE", true), ("a.example:8443", true), ("a.example.", true), ("a.example.:443", true),
            ("b.example", true), ("x.wild.example", true), ("wild.example", false), ("x.y.wild.example", false), (".wild.example", false),
            ("c.example", false), ("xa.example", false), ("a.example.evil", false), ("192.0.2.7", true), ("192.0.2.8:443", false),
            ("[2001:db8::1]:443", true), ("[2001:db8::2]", false), ("", false),
        ])
    func covered(authority: String, expected: Bool) {
        let names = ["b.example", "*.wild.example", "192.0.2.7", "2001:db8::1"]
        #expect(covers(authority, serverName: "a.example", names: names) == expected)
        #expect(covers(authority, serverName: nil, names: names), "who names nothing is not misdirected")
    }

    @Test("A wildcard stands for a label of a name, never for a top-level one")
    func wildcards() {
        #expect(!CertificateNames(["*.example"]).cover("a.example"))
        #expect(!CertificateNames(["*"]).cover("a"))
        #expect(CertificateNames(["*.Example.COM"]).cover("a.example.com"))
    }
}
