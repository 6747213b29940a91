import Exchanges
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("Idle connections that are closed to free descriptors")
struct IdleConnectionsTests {
    private let eventLoop = EmbeddedEventLoop()
    private let handler = ScriptedHandler()
    private let services: ServerLoop

    init() { services = ServerLoop(eventLoop: eventLoop) }

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: eventLoop)
        try channel.pipeline.syncOperations.addHandler(
            HTTP1Connection(
                channel: channel, peer: PeerAddress(channel.remoteAddress), handler: handler, settings: ServerSettings(), loop: services))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 4711)).wait()
        eventLoop.advanceTime(by: .seconds(1))
        return channel
    }

    private func send(_ text: String, on channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: text))
        eventLoop.advanceTime(by: .seconds(1))
    }

    @Test("the least recently active one is closed first")
    func order() throws {
        let channels = try (0..<3).map { _ in try connect() }
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", on: channels[0])
        #expect(services.closeIdle() == 1)
        #expect(channels.map(\.isActive) == [true, false, true])
        #expect(services.closeIdle() == 1)
        #expect(channels.map(\.isActive) == [true, false, false])
    }

    @Test("a head that has begun does not protect a connection")
    func heads() throws {
        let slow = try connect()
        try send("GET / HT", on: slow)
        let recent = try connect()
        #expect(services.closeIdle() == 1)
        #expect(!slow.isActive && recent.isActive)
    }

    @Test("a connection with a request on it stays, and is not looked for again at once")
    func busy() throws {
        handler.onRequest = { _ in }
        let channel = try connect()
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", on: channel)
        #expect(services.closeIdle() == 0)
        #expect(channel.isActive)
        let idle = try connect()
        #expect(services.closeIdle() == 1)
        #expect(!idle.isActive)
    }

    @Test("one of 64 is closed at once, so that a flood does not look through all of them for each")
    func batches() throws {
        let channels = try (0..<130).map { _ in try connect() }
        let closed = services.closeIdle()
        #expect(closed == 1 + channels.count / 64 || closed == 1 + services.connectionCount / 64)
        #expect(channels.prefix(closed).allSatisfy { !$0.isActive })
    }

    @Test("where few of many connections are idle, they are looked through once a tick")
    func fewIdle() throws {
        handler.onRequest = { _ in }
        for _ in 0..<192 { try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", on: try connect()) }
        _ = try connect()
        let late = try connect()
        #expect(services.closeIdle() == 1)
        #expect(services.closeIdle() == 0)
        #expect(late.isActive)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(services.closeIdle() == 1)
    }
}
