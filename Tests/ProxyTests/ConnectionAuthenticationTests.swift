import Decisions
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing

@testable import Exchanges
@testable import Proxy

@Suite("Upstream connections that were authenticated")
struct ConnectionAuthenticationTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func owned(_ exchange: RecordingExchange) throws -> OwnedConnections { try #require(exchange.bound as? OwnedConnections) }

    @Test func `NTLM and Negotiate do not cross users: the connection is nobody else's`() throws {
        let fixture = UpstreamFixture()
        let first = fixture.forward(authenticates: true)
        try fixture.respond(Self.answer)
        #expect(fixture.pool.connections.idle.isEmpty && fixture.pool.connections.owned.count == 1)
        _ = fixture.forward()
        #expect(fixture.channels.count == 2)
        #expect(try owned(first).take(for: .session([1]), where: { _ in true }) == nil)
        let connection = try #require(try owned(first).take(for: .noSession, where: { _ in true }))
        #expect(fixture.pool.connections.owned.isEmpty)
        // Its next request does not say so, and it is no less authenticated.
        let request = ForwardedRequest(
            head: ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), method: .get, framing: .none, bodyLimit: nil, response: .none)
        connection.start(request, of: first, observer: fixture.observer)
        _ = try fixture.sent()
        try fixture.respond(Self.answer)
        #expect(fixture.pool.connections.idle.isEmpty && fixture.pool.connections.owned.count == 1)
    }

    @Test(arguments: [
        ("WWW-Authenticate: NTLM", true), ("www-authenticate: ntlm TlRMTVNTUAAC", true), ("WWW-Authenticate: Negotiate", true),
        ("WWW-Authenticate: Basic realm=\"x\", Negotiate", true),
        ("WWW-Authenticate: Basic realm=\"x\"\r\nWWW-Authenticate: NTLM", true),
        ("Persistent-Auth: true", true), ("Persistent-Auth: false", false), ("WWW-Authenticate: Basic realm=\"n\"", false),
        ("WWW-Authenticate: Bearer", false), ("X-A: NTLM", false),
    ])
    func `A response marks its connection`(line: String, isMarked: Bool) throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 401 Unauthorized\r\n\(line)\r\nContent-Length: 0\r\n\r\n")
        #expect(fixture.pool.connections.owned.count == (isMarked ? 1 : 0))
        #expect(fixture.pool.connections.idle.count == (isMarked ? 0 : 1))
    }

    @Test func `It closes after a request whose client connection is not one client's`() throws {
        let fixture = UpstreamFixture()
        fixture.observer.owner = nil
        let exchange = fixture.forward(authenticates: true)
        try fixture.respond(Self.answer)
        #expect(exchange.output.last == "end" && exchange.bound == nil)
        #expect(!fixture.channels[0].isActive && fixture.pool.idleCount == 0)
    }

    @Test func `It ends with the client connection, the upstream, and the pool`() throws {
        let fixture = UpstreamFixture()
        var exchanges: [RecordingExchange] = []
        for index in 0..<3 {
            exchanges.append(fixture.forward(authenticates: true))
            try fixture.respond(Self.answer, on: index)
        }
        #expect(fixture.pool.connections.owned.count == 3)
        exchanges[0].endBound()
        fixture.loop.run()
        #expect(fixture.channels.map(\.isActive) == [false, true, true])
        fixture.upstreamCloses(1)
        #expect(try owned(exchanges[1]).take(for: .noSession, where: { _ in true }) == nil)
        fixture.pool.drain()
        fixture.loop.run()
        #expect(fixture.channels.map(\.isActive) == [false, false, false])
        #expect(fixture.pool.connections.owned.isEmpty)
        #expect(try owned(exchanges[2]).take(for: .noSession, where: { _ in true }) == nil)
    }

    @Test func `A client connection has at most 16 of them, and a pool as many as it keeps unused ones`() throws {
        let fixture = UpstreamFixture()
        let exchange = RecordingExchange(loop: fixture.loop)
        for index in 0..<17 {
            fixture.observer.owner = .session([UInt8(index)])
            _ = fixture.forward(authenticates: true, on: exchange)
            try fixture.respond(Self.answer, on: index)
        }
        fixture.loop.run()
        #expect(fixture.channels.filter(\.isActive).count == 16 && !fixture.channels[0].isActive)
        fixture.observer.owner = .noSession
        for index in 17..<280 {
            _ = fixture.forward(authenticates: true)
            try fixture.respond(Self.answer, on: index)
        }
        #expect(fixture.pool.connections.owned.count == UpstreamSettings().idleConnections)
    }

    @Test func `Credentials are recognised in what is sent`() {
        func isSent(_ lines: String) -> Bool { ConnectionAuthentication.isSent(in: Array(lines.utf8).span.bytes) }
        #expect(isSent("GET / HTTP/1.1\r\nHost: h\r\nAuthorization: NTLM TlRM\r\n\r\n"))
        #expect(isSent("GET / HTTP/1.1\r\nauthorization:negotiate\tYII=\r\n\r\n"))
        #expect(isSent("GET / HTTP/1.1\r\nAUTHORIZATION: NEGOTIATE\r\n\r\n"))
        #expect(!isSent("GET / HTTP/1.1\r\nAuthorization: NTLMv2 x\r\n\r\n"))
        #expect(!isSent("GET / HTTP/1.1\r\nAuthorization: Bearer NTLM\r\n\r\n"))
        #expect(!isSent("GET / HTTP/1.1\r\nX-Authorization: NTLM x\r\nHost: h\r\n\r\n"))
    }
}
