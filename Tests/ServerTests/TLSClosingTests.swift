import Exchanges
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@testable import Server

/// A client and the server's connection behind real TLS, without sockets.
private final class TLSFixture {
    let loop = EmbeddedEventLoop()
    let server: EmbeddedChannel
    let client: EmbeddedChannel
    let handler = ScriptedHandler()

    init() throws {
        let folder = try CertificateFolder()
        try folder.write("app.crt", as: "tls.crt")
        try folder.write("app.key", as: "tls.key")
        server = EmbeddedChannel(loop: loop)
        try server.setOption(.allowRemoteHalfClosure, value: true).wait()
        client = EmbeddedChannel(loop: loop)
        var settings = ServerSettings()
        settings.tls = try TLSContexts(folder.settings)
        try ConnectionSetup(
            channel: server, peer: PeerAddress(nil), handler: handler, settings: settings, loop: ServerLoop(eventLoop: loop)
        ).begin()
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        try client.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: "app.example.com"))
        let address = try SocketAddress(ipAddress: "192.0.2.7", port: 4711)
        server.connect(to: address, promise: nil)
        client.connect(to: address, promise: nil)
        try exchange()
    }

    /// Carries bytes between the two until neither has any, in one moment.
    func exchange() throws {
        var moved = true
        while moved {
            moved = false
            loop.run()
            while let bytes = try client.readOutbound(as: ByteBuffer.self) { try server.writeInbound(bytes); moved = true }
            while server.isActive || client.isActive, let bytes = try server.readOutbound(as: ByteBuffer.self) {
                if client.isActive { try client.writeInbound(bytes) }
                moved = true
            }
        }
    }

    func received() throws -> String {
        var text = ""
        while let bytes = try client.readInbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}

@Suite("The end of a connection over TLS")
struct TLSClosingTests {
    @Test("a client that leaves without a goodbye is not waited for")
    func ragged() throws {
        let fixture = try TLSFixture()
        fixture.client.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), promise: nil)
        try fixture.exchange()
        #expect(try fixture.received().hasPrefix("HTTP/1.1 200 "))
        #expect(fixture.server.isActive)
        fixture.server.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        try fixture.exchange()
        #expect(!fixture.server.isActive)
    }

    @Test("a connection that the server ends says goodbye, and is closed without an answer to it")
    func ended() throws {
        let fixture = try TLSFixture()
        fixture.client.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), promise: nil)
        try fixture.exchange()
        #expect(try fixture.received().hasPrefix("HTTP/1.1 200 "))
        #expect(!fixture.server.isActive)
        #expect(!fixture.client.isActive, "the client was told over TLS that this was all")
    }

    @Test("nothing holds a connection whose socket is gone")
    func released() throws {
        weak var tls: NIOSSLServerHandler?
        weak var connection: HTTP1Connection?
        do {
            let fixture = try TLSFixture()
            let operations = fixture.server.pipeline.syncOperations
            tls = try operations.handler(type: NIOSSLServerHandler.self)
            connection = try operations.handler(type: HTTP1Connection.self)
            #expect(tls != nil && connection != nil)
            // The server closes, and the socket breaks before anything comes back.
            connection?.drain()
            fixture.server.close(promise: nil)
            try fixture.exchange()
        }
        #expect(tls == nil)
        #expect(connection == nil)
    }
}
