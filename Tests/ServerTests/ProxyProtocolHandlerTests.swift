import Primitives
import Exchanges
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("The PROXY protocol on a connection")
struct ProxyProtocolHandlerTests {
    private final class Record: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var text = ""
        var isActive = false
        func channelActive(context: ChannelHandlerContext) { isActive = true }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { text += String(buffer: unwrapInboundIn(data)) }
    }

    private final class Fixture {
        let channel = EmbeddedChannel()
        let record = Record()
        var sources: [ProxyProtocolHeader.Source?] = []
        var abandoned: [ConnectionRefusal?] = []
        var refuses = false

        struct Refused: Error {}

        init() throws {
            let wheel = DeadlineWheel(eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.addHandler(
                ProxyProtocolHandler(
                    wheel: wheel, limit: 1_000,
                    proceed: { [unowned self] source in
                        sources.append(source)
                        if refuses { throw Refused() }
                        try channel.pipeline.syncOperations.addHandler(record)
                    },
                    abandon: { [unowned self] in abandoned.append($0) }))
            try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        }

        func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }
    }

    private static let line = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n"

    @Test("what follows the header, in the same packet or later, goes to the handlers that are made for it")
    func proceeding() throws {
        let fixture = try Fixture()
        for byte in Self.line.utf8.dropLast() { try fixture.channel.writeInbound(ByteBuffer(bytes: [byte])) }
        #expect(fixture.sources.isEmpty && fixture.record.text.isEmpty)
        try fixture.send("\nGET")
        try fixture.send(" / more")
        #expect(fixture.sources.map { $0?.address.description } == ["192.0.2.1"])
        #expect(fixture.record.text == "GET / more")
        #expect(fixture.record.isActive)
        #expect(throws: (any Error).self) { try fixture.channel.pipeline.syncOperations.handler(type: ProxyProtocolHandler.self) }
        _ = try fixture.channel.finish()
        #expect(fixture.abandoned.isEmpty, "a connection that was handed over is its handlers' to count")
    }

    @Test("a second header is the client's own bytes")
    func second() throws {
        let fixture = try Fixture()
        try fixture.send(Self.line + "PROXY UNKNOWN\r\n")
        #expect(fixture.record.text == "PROXY UNKNOWN\r\n")
    }

    @Test("anything else closes the connection, once, with the reason")
    func refusal() throws {
        let fixture = try Fixture()
        try fixture.send("GET / HTTP/1.1\r\n")
        #expect(!fixture.channel.isActive)
        #expect(fixture.abandoned == [.proxyProtocol(.noHeader)])
        #expect(fixture.sources.isEmpty)
    }

    @Test("a header that does not come in time, or whose sender goes, is given up")
    func silence() throws {
        let late = try Fixture()
        try late.send("PROXY TCP4")
        late.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!late.channel.isActive)
        #expect(late.abandoned == [.proxyProtocol(.noHeader)])
        let gone = try Fixture()
        try gone.send("PROXY")
        _ = try gone.channel.finish()
        #expect(gone.abandoned == [nil])
    }

    @Test("a connection that is one too many for its address is closed")
    func tooMany() throws {
        let fixture = try Fixture()
        fixture.refuses = true
        try fixture.send(Self.line + "GET")
        #expect(!fixture.channel.isActive)
        #expect(fixture.record.text.isEmpty)
        #expect(fixture.abandoned.isEmpty, "whoever refused it has counted it out")
    }
}
