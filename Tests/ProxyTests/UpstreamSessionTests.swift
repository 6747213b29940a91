import Decisions
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing

@testable import Exchanges
@testable import Proxy

@Suite("HTTP/2 connections to upstreams")
struct UpstreamSessionTests {
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// The codec would end the process at the end of the request.
    @Test("RFC 9113 section 6.9.2: an upstream that makes a window negative loses its connection")
    func negativeWindow() throws {
        let fixture = UpstreamFixture()
        let channel = EmbeddedChannel(loop: fixture.loop)
        let session = UpstreamSession(pool: fixture.pool, opening: nil)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 80)).wait()
        try session.install(in: channel)
        try channel.writeInbound(ByteBuffer(bytes: Self.settings))
        let exchange = RecordingExchange(loop: fixture.loop)
        let request = ForwardedRequest(
            head: ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\n\r\n"), method: .post, framing: .chunked, bodyLimit: nil,
            response: .none)
        session.start(request, of: exchange, observer: fixture.observer)
        fixture.loop.run()
        exchange.delegate?.exchange(exchange, received: ByteBuffer(repeating: 0x62, count: 65_535))
        exchange.delegate?.exchangeReadComplete(exchange)
        // SETTINGS_INITIAL_WINDOW_SIZE of 0, then the connection's window.
        let smaller: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
        try channel.writeInbound(ByteBuffer(bytes: smaller + [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0x10, 0]))
        exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
        fixture.loop.run()
        #expect(fixture.observer.failures == [.http2Error])
        #expect(!channel.isActive)
        #expect(fixture.pool.inFlight == 0)
    }
}
