import Primitives
import Config
import HTTPWire
import NIOCore
import Testing

@testable import Decisions

@Suite("Where a request comes from")
struct RequestOriginTests {
    private static let site = Origin(scheme: "https", host: "app.example.com", port: 443)

    private static func head(_ lines: String) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: "POST / HTTP/1.1\r\nHost: admin.example.com\r\n\(lines)\r\n")
        return try #require(try parser.parse(&buffer))
    }

    @Test(
        "RFC 6454 section 7: the public URL's origin, the listed ones and that of the request's host are ours; of a secure site https only",
        arguments: [
            ("https://app.example.com", true), ("https://admin.example.com", true), ("https://www.example.com", true),
            ("http://admin.example.com", false), ("http://app.example.com", false), ("https://app.example.com:8443", false),
            ("https://app.example.com.evil.example", false), ("https://evil.example", false), ("null", false),
            ("https://APP.example.com", false),
        ])
    func origins(origin: String, isOurs: Bool) throws {
        let origins = RequestOrigin(publicURL: Self.site, listed: ["https://www.example.com"])
        #expect(try origins.mayChange(Self.head("Origin: \(origin)\r\n")) == isOurs)
        #expect(try origins.mayUpgrade(Self.head("Origin: \(origin)\r\n")) == isOurs)
    }

    @Test("a site without https takes both, for development on loopback")
    func plain() throws {
        let origins = RequestOrigin(publicURL: nil)
        #expect(try origins.mayUpgrade(Self.head("Origin: http://admin.example.com\r\n")))
        #expect(try origins.mayUpgrade(Self.head("Origin: https://admin.example.com\r\n")))
    }

    @Test("a program that says nothing may open a WebSocket, and may change nothing with a session")
    func silence() throws {
        let origins = RequestOrigin(publicURL: Self.site)
        #expect(try origins.mayUpgrade(Self.head("")))
        #expect(try !origins.mayChange(Self.head("")))
    }
}
