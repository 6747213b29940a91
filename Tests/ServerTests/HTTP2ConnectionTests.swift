import Exchanges
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// An HTTP/2 connection on an embedded channel.
private struct Frames {
    let channel = EmbeddedChannel()
    let handler = ScriptedHandler()
    let services: ServerLoop

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    static let acknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]
    static let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

    /// `GET / https a`, END_STREAM and END_HEADERS.
    static func get(_ stream: UInt8) -> [UInt8] { [0, 0, 6, 1, 5, 0, 0, 0, stream, 0x82, 0x87, 0x84, 0x01, 0x01, 0x61] }

    /// `POST / https a` without END_STREAM.
    static func post(_ stream: UInt8) -> [UInt8] { [0, 0, 6, 1, 4, 0, 0, 0, stream, 0x83, 0x87, 0x84, 0x01, 0x01, 0x61] }

    init(_ change: (inout ServerSettings) -> Void = { _ in }) throws {
        var settings = ServerSettings()
        change(&settings)
        services = ServerLoop(eventLoop: channel.eventLoop)
        let address = try SocketAddress(ipAddress: "192.0.2.7", port: 4711)
        try channel.connect(to: address).wait()
        let connection = HTTP2Connection(
            channel: channel, peer: PeerAddress(address), tls: nil, handler: handler, settings: settings, loop: services)
        try connection.install(in: channel.pipeline)
    }

    func send(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

    /// The frames that were sent since the last look.
    func sent() throws -> [String] {
        // What is written in one turn of the loop is flushed at its end.
        channel.embeddedEventLoop.run()
        var bytes: [UInt8] = []
        while let data = try channel.readOutbound(as: ByteBuffer.self) {
            bytes += Array(data.readableBytesView)
        }
        return Self.names(of: bytes)
    }

    /// The kinds of frames, each with its stream and, for RST_STREAM and GOAWAY, the code.
    static func names(of bytes: [UInt8]) -> [String] {
        let names = [
            "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION",
        ]
        var frames: [String] = []
        var index = 0
        while index + 9 <= bytes.count {
            let length = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            let type = Int(bytes[index + 3])
            let code = type == 3 ? " \(bytes[index + 12])" : type == 7 ? " \(bytes[index + 16])" : ""
            frames.append("\(names[type]) \(bytes[index + 8])\(code)")
            index += 9 + length
        }
        return frames
    }

    func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
}

@Suite("HTTP/2 connections")
struct HTTP2ConnectionTests {
    @Test("Frames may come in any pieces", arguments: [1, 2, 3, 5, 8, 13, 1_000])
    func pieces(size: Int) throws {
        let fixture = try Frames()
        let bytes =
            Frames.preface + Frames.settings + Frames.get(1) + Frames.acknowledgement + Frames.get(3) + Frames.ping
            + Frames.acknowledgement.prefix(0)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try fixture.send(Array(bytes[start..<min(bytes.count, start + size)]))
        }
        #expect(fixture.handler.seen == ["GET /", "GET /"])
        #expect(fixture.handler.finishedStatuses == [200, 200])
        let sent = try fixture.sent()
        #expect(!sent.contains { $0.hasPrefix("GOAWAY") || $0.hasPrefix("RST_STREAM") })
        #expect(sent.filter { $0.hasPrefix("HEADERS") } == ["HEADERS 1", "HEADERS 3"])
        #expect(sent.contains("PING 0"))
        #expect(fixture.channel.isActive)
    }

    @Test("RFC 9113 section 8.1: an answer before the request's end is followed by RST_STREAM with NO_ERROR")
    func earlyAnswer() throws {
        let fixture = try Frames()
        try fixture.send(Frames.preface + Frames.settings + Frames.post(1))
        #expect(try fixture.sent().suffix(3) == ["HEADERS 1", "DATA 1", "RST_STREAM 1 0"])
        #expect(fixture.handler.finishedStatuses == [200])
    }

    @Test("A body is counted and limited; what is paused is not credited (RFC 9113 section 5.2)")
    func backpressure() throws {
        let fixture = try Frames()
        let collector = Collector()
        var held: Exchange?
        fixture.handler.onRequest = {
            held = $0
            $0.delegate = collector
            $0.startBody(limit: nil)
            $0.pauseBody(true)
        }
        try fixture.send(Frames.preface + Frames.settings + Frames.post(1))
        let data: [UInt8] = [0, 0x40, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0x78, count: 16_384)
        for _ in 0..<16 { try fixture.send(data) }
        #expect(collector.body.isEmpty)
        #expect(try fixture.sent().filter { $0 == "WINDOW_UPDATE 1" }.isEmpty, "the whole window waits")
        held?.pauseBody(false)
        #expect(collector.body.utf8.count == 16 * 16_384)
        #expect(try fixture.sent().contains("WINDOW_UPDATE 1"))
        // One byte beyond the window is a flow-control error of the client (6.9.1).
        held?.pauseBody(true)
        for _ in 0..<17 { try fixture.send(data) }
        #expect(try fixture.sent().contains { $0 == "GOAWAY 0 3" || $0 == "RST_STREAM 1 3" })
        #expect(collector.isClosed)
    }

    @Test("RFC 9113 section 6.8: a drain announces, waits for what is under way, and says the last stream")
    func drain() throws {
        let fixture = try Frames()
        var held: Exchange?
        fixture.handler.onRequest = { held = $0 }
        try fixture.send(Frames.preface + Frames.settings + Frames.acknowledgement + Frames.get(1))
        _ = try fixture.sent()
        fixture.services.drain()
        #expect(try fixture.sent() == ["GOAWAY 0 0", "PING 0"])
        // On its way before the client knew.
        try fixture.send(Frames.get(3))
        #expect(fixture.handler.seen.count == 2)
        // The client never answers the PING.
        fixture.advance(2)
        #expect(try fixture.sent() == ["GOAWAY 0 0"])
        try fixture.send(Frames.get(5))
        #expect(fixture.handler.seen.count == 2)
        held?.respond(status: 200, body: ByteBuffer(string: "two")) { _ in }
        #expect(try fixture.sent() == ["HEADERS 3", "DATA 3"])
        #expect(fixture.services.connectionCount == 1)
    }

    @Test("A stream that is reset tells its delegate, and an answer that comes too late goes nowhere")
    func reset() throws {
        let fixture = try Frames()
        let collector = Collector()
        var held: Exchange?
        fixture.handler.onRequest = {
            held = $0
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        try fixture.send(Frames.preface + Frames.settings + Frames.post(1) + [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
        #expect(collector.isClosed)
        #expect(fixture.handler.finishedStatuses == [0])
        _ = try fixture.sent()
        held?.respond(status: 200, body: ByteBuffer(string: "late")) { _ in }
        held?.abort()
        #expect(try fixture.sent() == [])
        #expect(fixture.handler.finishedStatuses == [0])
        #expect(fixture.channel.isActive)
    }

    @Test("A response that is longer or shorter than it says is reset")
    func promises() throws {
        let fixture = try Frames()
        fixture.handler.onRequest = { exchange in
            exchange.sendHead(status: 200, reason: nil, framing: .length(3), hasDate: false) { _ in }
            exchange.sendBody(ByteBuffer(string: exchange.ticket == 1 && fixture.handler.seen.count == 1 ? "four" : "2"))
            exchange.sendEnd()
            exchange.flush()
        }
        try fixture.send(Frames.preface + Frames.settings + Frames.get(1) + Frames.get(3))
        #expect(try fixture.sent().filter { $0.hasPrefix("RST_STREAM") } == ["RST_STREAM 1 2", "RST_STREAM 3 2"])
    }

    @Test("A connection without a request ends at the idle limit, one without a preface at the header limit")
    func idle() throws {
        let idle = try Frames()
        try idle.send(Frames.preface + Frames.settings)
        idle.advance(70)
        #expect(try !idle.sent().contains("GOAWAY 0 0"))
        idle.advance(10)
        #expect(try idle.sent() == ["GOAWAY 0 0"])
        let silent = try Frames()
        silent.advance(11)
        #expect(try silent.sent().contains("GOAWAY 0 11"))
    }

    @Test("Answers of one turn of the loop leave in one write")
    func oneWrite() throws {
        let fixture = try Frames()
        try fixture.send(Frames.preface + Frames.settings)
        _ = try fixture.sent()
        try fixture.send(Frames.get(1) + Frames.get(3))
        fixture.channel.embeddedEventLoop.run()
        let first = try #require(try fixture.channel.readOutbound(as: ByteBuffer.self))
        let nothing = try fixture.channel.readOutbound(as: ByteBuffer.self)
        #expect(nothing == nil)
        #expect(Frames.names(of: Array(first.readableBytesView)).sorted() == ["DATA 1", "DATA 3", "HEADERS 1", "HEADERS 3"])
    }

    @Test(
        "RFC 9113 section 8.1.1: DATA is as long as content-length says",
        arguments: [("abc", true, true), ("ab", true, false), ("abcd", true, false), ("abcd", false, false), ("abc", false, true)])
    func length(body: String, isEnd: Bool, isFine: Bool) throws {
        let fixture = try Frames()
        fixture.handler.onRequest = { $0.startBody(limit: nil) }
        // `content-length: 3` as a literal with the name of the static table.
        let head: [UInt8] = [0, 0, 9, 1, 4, 0, 0, 0, 1, 0x83, 0x87, 0x84, 0x01, 0x01, 0x61, 0x0F, 0x0D, 0x01] + Array("3".utf8)
        var bytes = head
        bytes[2] = UInt8(head.count - 9)
        bytes += [0, 0, UInt8(body.utf8.count), 0, isEnd ? 1 : 0, 0, 0, 0, 1] + Array(body.utf8)
        try fixture.send(Frames.preface + Frames.settings + bytes)
        #expect(try fixture.sent().contains("RST_STREAM 1 1") == !isFine)
    }

    @Test("A head that is refused does not spoil the next, and nothing of a stream is left for another")
    func afterRefusal() throws {
        let fixture = try Frames()
        var states: [Bool] = []
        fixture.handler.onRequest = { exchange in
            states.append(exchange.connectionState == nil)
            exchange.connectionState = states.count == 1 ? Collector() : exchange.connectionState
            exchange.respond(status: 200, body: ByteBuffer(string: "a")) { _ in }
        }
        // A method in lower case: refused by the parser's rules in the middle of the head.
        let refused: [UInt8] = [0, 0, 11, 1, 5, 0, 0, 0, 1, 0x02, 0x03, 0x67, 0x65, 0x74, 0x87, 0x84, 0x01, 0x02, 0x61, 0x3A]
        try fixture.send(Frames.preface + Frames.settings + refused)
        #expect(fixture.handler.refusals.count == 1)
        _ = try fixture.sent()
        for stream: UInt8 in [3, 5] {
            try fixture.send(Frames.get(stream))
            #expect(try fixture.sent() == ["HEADERS \(stream)", "DATA \(stream)"])
        }
        // Two at once cannot share it.
        try fixture.send(Frames.get(7) + Frames.get(9))
        #expect(fixture.handler.seen.count == 4)
        #expect(states == [true, false, false, true], "what the handler kept comes back when its stream is gone")
    }

    @Test("A client that goes on sending malformed requests is made to stop (CVE-2025-8671)")
    func malformedRequests() throws {
        let fixture = try Frames()
        try fixture.send(Frames.preface + Frames.settings)
        func sendMalformed(_ number: Int) throws {
            let stream = 2 * number + 1
            // No `:path`.
            try fixture.send([0, 0, 5, 1, 5, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF), 0x82, 0x87, 0x01, 0x01, 0x61])
        }
        for number in 0..<HTTP2Limits.malformedRequests { try sendMalformed(number) }
        let resets = try fixture.sent()
        #expect(resets.filter { $0.hasPrefix("RST_STREAM") }.count == HTTP2Limits.malformedRequests)
        #expect(!resets.contains { $0.hasPrefix("GOAWAY") })
        try sendMalformed(HTTP2Limits.malformedRequests)
        #expect(try fixture.sent().contains("GOAWAY 0 11"))
        #expect(fixture.handler.seen.isEmpty)
    }

    @Test("A body that is asked for after the stream has ended sets no time limit")
    func lateBody() throws {
        let frames = try Frames { $0.idleTimeout = 5_000 }
        var exchange: Exchange?
        frames.handler.onRequest = { exchange = $0 }
        try frames.send(Frames.preface + Frames.settings + Frames.post(1))
        try frames.send([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
        try #require(exchange).startBody(limit: nil)
        exchange?.pauseBody(true)
        exchange?.pauseBody(false)
        weak let stream = exchange
        exchange = nil
        #expect(stream == nil)
        // Nothing in the wheel refers to the stream any more: that would end the process here.
        frames.advance(60)
    }

    @Test("A client that stops taking a response shortly before its end is reset at the idle limit")
    func lateStall() throws {
        let fixture = try Frames()
        fixture.handler.onRequest = { exchange in
            exchange.sendHead(status: 200, reason: nil, framing: .stream, hasDate: true) { _ in }
            for _ in 0..<10 {
                exchange.sendBody(ByteBuffer(repeating: 0x78, count: 10_000))
                exchange.flush()
            }
            exchange.sendEnd()
        }
        try fixture.send(Frames.preface + Frames.settings + Frames.get(1))
        _ = try fixture.sent()
        fixture.advance(60)
        // Both windows were 65,535 bytes. Now less than 32 KiB are left.
        for stream: UInt8 in [0, 1] { try fixture.send([0, 0, 4, 8, 0, 0, 0, 0, stream, 0, 0, 0x3A, 0x98]) }
        #expect(try fixture.sent().allSatisfy { $0 == "DATA 1" })
        fixture.advance(60)
        #expect(try fixture.sent() == [], "the client has taken something meanwhile")
        fixture.advance(30)
        #expect(try fixture.sent().first == "RST_STREAM 1 2")
    }

    /// The codec would end the process. `isUsed`: DATA has used the window, so that it is negative afterwards; else the end waits behind it.
    @Test("RFC 9113 section 6.9.2: a client may make windows negative before a response ends", arguments: [true, false])
    func negativeWindow(isUsed: Bool) throws {
        let fixture = try Frames()
        var held: Exchange?
        fixture.handler.onRequest = { held = $0 }
        try fixture.send(Frames.preface + Frames.settings + Frames.get(1))
        let exchange = try #require(held)
        exchange.sendHead(status: 200, reason: nil, framing: .stream, hasDate: true) { _ in }
        exchange.sendBody(ByteBuffer(repeating: 0x78, count: 65_535))
        exchange.flush()
        _ = try fixture.sent()
        if !isUsed {
            exchange.sendEnd()
            #expect(try fixture.sent() == [], "the window of the connection is used")
        }
        // SETTINGS_INITIAL_WINDOW_SIZE of 0, then the connection's window.
        try fixture.send([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0] + [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0x10, 0])
        if isUsed { exchange.sendEnd() }
        #expect(try fixture.sent() == ["SETTINGS 0", isUsed ? "HEADERS 1" : "RST_STREAM 1 2"])
        #expect(fixture.channel.isActive)
    }
}
