import NIOCore
import Testing

@testable import HTTPWire

@Suite("Upgrades")
struct UpgradeProtocolTests {
    private static func upgrade(_ head: String, among names: [String]) throws -> String? {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: head + "\r\n\r\n")
        let head = try #require(try parser.parse(&buffer))
        return head.upgrade(among: names.compactMap { UpgradeProtocol($0) })?.name
    }

    @Test(
        "RFC 9110 section 7.8, RFC 6455 section 4.1: one protocol, on the list, in a request of HTTP/1.1 without a body that names it in Connection",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket", "websocket"),
            ("POST / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0", "spdy/3.1"),
            ("POST / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket", nil),
            ("GET / HTTP/1.0\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nUpgrade: websocket", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket, h2c", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: websocket", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket2", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: spdy", nil),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c", nil),
        ] as [(String, String?)])
    func requests(head: String, expected: String?) throws {
        #expect(try Self.upgrade(head, among: ["websocket", "SPDY/3.1", "h2c"]) == expected)
    }

    @Test("nothing is allowed where nothing is listed")
    func nothing() throws {
        #expect(try Self.upgrade("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket", among: []) == nil)
    }

    @Test(
        "P19: another version of HTTP, and TLS, are never a tunnel",
        arguments: ["h2c", "H2C", "h2", "h3", "HTTP/2.0", "http/1.1", "TLS/1.2", "tls", "", "a, b", "a\r\nb", "a b"])
    func forbidden(name: String) {
        #expect(UpgradeProtocol(name) == nil)
    }
}
