import NIOSSL
import Testing

@testable import Proxy

@Suite("TLS towards upstreams")
struct UpstreamTLSTests {
    @Test(
        "RFC 6066 section 3: a name is asked for, an address is not; a configured name goes before both",
        arguments: [
            ("app.example.com", nil, "app.example.com"), ("app.example.com.", nil, "app.example.com"), ("192.0.2.1", nil, nil),
            ("[2001:db8::1]", nil, nil), ("192.0.2.1", "app.example.com", "app.example.com"), ("a.example", "b.example", "b.example"),
        ] as [(String, String?, String?)])
    func serverName(host: String, configured: String?, expected: String?) throws {
        let contexts = try UpstreamTLSContexts(UpstreamTLSFiles())
        #expect(UpstreamTLS(contexts, host: host, serverName: configured).serverName == expected)
    }

    @Test("an end of the connection is no TLS failure")
    func otherErrors() {
        #expect(UpstreamTLS.failure(for: NIOSSLError.uncleanShutdown, name: "a", certificate: nil) == nil)
        #expect(UpstreamTLS.failure(for: BoringSSLError.zeroReturn, name: "a", certificate: nil) == nil)
        #expect(
            UpstreamTLS.failure(for: NIOSSLExtraError.failedToValidateHostname, name: "a", certificate: nil)?.reason
                == .certificateWrongName)
    }

    @Test("files that cannot be used are named", arguments: ["authority", "certificate", "key"])
    func files(key: String) {
        var files = UpstreamTLSFiles()
        let path = "/nonexistent/\(key).pem"
        switch key {
        case "authority": files.authority = path
        case "certificate": files.certificate = path
        default: files.key = path
        }
        #expect { _ = try UpstreamTLSContexts(files) } throws: { "\($0)".hasPrefix(path) }
    }
}
