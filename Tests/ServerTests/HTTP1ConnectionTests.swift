import Exchanges
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// Answers as a test says, and remembers what it saw.
final class ScriptedHandler: RequestHandler {
    var seen: [String] = []
    var refusals: [WireError] = []
    var lateCount = 0
    var finishedStatuses: [Int] = []
    var onRequest: (Exchange) -> Void = { $0.respond(status: 200, body: ByteBuffer(string: "ok")) { _ in } }

    func handle(_ exchange: Exchange) {
        seen.append("\(exchange.head.methodText) \(exchange.head.pathText)")
        onRequest(exchange)
    }
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        refusals.append(error)
        exchange.respond(status: error.status, body: ByteBuffer(string: error.rawValue)) { _ in }
    }
    func refuseLate(_ exchange: Exchange) {
        lateCount += 1
        exchange.respond(status: 408, body: ByteBuffer()) { _ in }
    }
    func handshakeFailed(_ peer: PeerAddress, reason: String) {}
    func acceptFailed(_ error: IOError) {}
    func closedIdleConnections(_ count: Int) {}
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {}
    func finished(_ exchange: Exchange) { finishedStatuses.append(exchange.status) }
}

/// Collects a request body.
final class Collector: ExchangeDelegate {
    var body = ""
    var isComplete = false
    var error: WireError?
    var isClosed = false
    func exchange(_ exchange: Exchange, received body: ByteBuffer) { self.body += String(buffer: body) }
    func exchangeReadComplete(_ exchange: Exchange) {}
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) { isComplete = true }
    func exchange(_ exchange: Exchange, failed error: WireError) { self.error = error }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { isClosed = true }
}

/// A connection on an embedded channel.
struct Fixture {
    let channel = EmbeddedChannel()
    let handler = ScriptedHandler()
    let services: ServerLoop

    init(_ change: (inout ServerSettings) -> Void = { _ in }) throws {
        var settings = ServerSettings()
        change(&settings)
        services = ServerLoop(eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(
            HTTP1Connection(
                channel: channel, peer: PeerAddress(channel.remoteAddress), handler: handler, settings: settings, loop: services))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 4711)).wait()
    }

    func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// What has been sent by the end of this turn of the loop.
    func output() throws -> String {
        channel.embeddedEventLoop.run()
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
    var isOpen: Bool { channel.isActive }
}

/// A channel that is full until it is flushed.
private final class DrainsWhenFlushed: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private let channel: EmbeddedChannel
    init(_ channel: EmbeddedChannel) { self.channel = channel }
    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard !channel.isWritable else { return }
        channel.isWritable = true
        context.fireChannelWritabilityChanged()
    }
}

/// A channel that takes nothing once it is closed, as a socket does.
private final class ClosesAtOnce: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private var isClosed = false
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        isClosed = true
        context.close(mode: mode, promise: promise)
    }
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isClosed { promise?.fail(ChannelError.ioOnClosedChannel) } else { context.write(data, promise: promise) }
    }
}

private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite("HTTP/1.1 connections")
struct HTTP1ConnectionTests {
    @Test("a request is answered and the connection stays")
    func keepAlive() throws {
        let fixture = try Fixture()
        try fixture.send(get)
        let first = try fixture.output()
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(first.contains("content-length: 2\r\n"))
        #expect(first.hasSuffix("\r\n\r\nok"))
        #expect(first.contains("Date: "))
        #expect(!first.contains("connection: close"))
        try fixture.send(get)
        #expect(try fixture.output().hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(fixture.isOpen)
        #expect(fixture.handler.finishedStatuses == [200, 200])
    }

    @Test("answers are sent at the end of the turn, and before a close in the same turn", arguments: [true, false])
    func answerBeforeClose(drains: Bool) throws {
        let fixture = try Fixture()
        try fixture.channel.pipeline.syncOperations.addHandler(ClosesAtOnce(), position: .first)
        try fixture.send(get + get)
        #expect(try fixture.channel.readOutbound(as: ByteBuffer.self) == nil)
        if drains {
            fixture.services.drain()
        } else {
            fixture.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        #expect(try fixture.output().matches(of: /HTTP\/1.1 200 OK/).count == 2)
        #expect(!fixture.isOpen)
    }

    @Test("a large part of a body is sent at once: its memory is soon used again")
    func largeAtOnce() throws {
        let fixture = try Fixture()
        fixture.handler.onRequest = { $0.respond(status: 200, body: ByteBuffer(repeating: 0x78, count: 20_000)) { _ in } }
        try fixture.send(get)
        var sent = 0
        while let bytes = try fixture.channel.readOutbound(as: ByteBuffer.self) { sent += bytes.readableBytes }
        #expect(sent > 20_000)
        fixture.handler.onRequest = { $0.respond(status: 200, body: ByteBuffer(string: "small")) { _ in } }
        try fixture.send(get)
        #expect(try fixture.channel.readOutbound(as: ByteBuffer.self) == nil)
        #expect(try fixture.output().hasSuffix("small"))
    }

    @Test("an answer that is made while the channel writes the one before is not lost")
    func answerDuringAWrite() throws {
        let fixture = try Fixture()
        try fixture.channel.pipeline.syncOperations.addHandler(DrainsWhenFlushed(fixture.channel), position: .first)
        try fixture.send(get)
        fixture.channel.isWritable = false
        fixture.channel.pipeline.fireChannelWritabilityChanged()
        try fixture.send(get)
        #expect(fixture.handler.seen.count == 1)
        #expect(try fixture.output().matches(of: /HTTP\/1.1 200 OK/).count == 2)
    }

    @Test("P24: pipelined requests are answered in order, one at a time")
    func pipelining() throws {
        let fixture = try Fixture()
        var held: Exchange?
        fixture.handler.onRequest = { held = $0 }
        try fixture.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fixture.handler.seen == ["GET /1"])
        held?.respond(status: 200, body: ByteBuffer(string: "one")) { _ in }
        #expect(fixture.handler.seen == ["GET /1", "GET /2"])
        held?.respond(status: 200, body: ByteBuffer(string: "two")) { _ in }
        let output = try fixture.output()
        #expect(output.hasSuffix("two"))
        #expect(output.contains("oneHTTP/1.1 200 OK"))
    }

    @Test("P24: what is pipelined behind a refused request is never looked at")
    func refusalEndsTheConnection() throws {
        let fixture = try Fixture()
        try fixture.send("GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fixture.handler.seen.isEmpty)
        #expect(fixture.handler.refusals == [.fieldNameInvalid])
        #expect(try fixture.output().contains("connection: close\r\n"))
        try fixture.send(get)
        #expect(fixture.handler.seen.isEmpty)
    }

    @Test("a request body reaches the delegate whole, and the next request is read after it")
    func body() throws {
        let fixture = try Fixture()
        let collector = Collector()
        var exchange: Exchange?
        fixture.handler.onRequest = {
            exchange = $0
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
        #expect(!collector.isComplete)
        try fixture.send("worldGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(collector.body == "helloworld")
        #expect(collector.isComplete)
        #expect(fixture.handler.seen.count == 1)
        exchange?.respond(status: 204, body: ByteBuffer()) { _ in }
        #expect(fixture.handler.seen == ["POST /", "GET /next"])
    }

    @Test("P17: Expect: 100-continue is answered only when the body is wanted")
    func expectContinue() throws {
        let fixture = try Fixture()
        let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        fixture.handler.onRequest = { $0.respond(status: 401, body: ByteBuffer()) { _ in } }
        try fixture.send(request)
        let refused = try fixture.output()
        #expect(refused.hasPrefix("HTTP/1.1 401"))
        #expect(refused.contains("connection: close"))

        let second = try Fixture()
        let collector = Collector()
        second.handler.onRequest = {
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        try second.send(request)
        #expect(try second.output() == "HTTP/1.1 100 Continue\r\n\r\n")
        try second.send("hello")
        #expect(collector.isComplete)
    }

    @Test("P25: a body beyond its limit is answered with 413 and the connection closes")
    func bodyLimit() throws {
        let fixture = try Fixture()
        let collector = Collector()
        fixture.handler.onRequest = {
            $0.delegate = collector
            $0.startBody(limit: 4)
        }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        #expect(collector.error == .bodyTooLarge)
        let output = try fixture.output()
        #expect(output.hasPrefix("HTTP/1.1 413 "))
        #expect(output.contains("connection: close"))
    }

    @Test("a response that stops short of its length aborts the connection instead of ending it")
    func shortResponse() throws {
        let fixture = try Fixture()
        fixture.handler.onRequest = {
            $0.sendHead(status: 200, reason: nil, framing: .length(10), hasDate: false) { _ in }
            $0.sendBody(ByteBuffer(string: "short"))
            $0.sendEnd()
        }
        try fixture.send(get)
        #expect(!fixture.isOpen)
    }

    @Test("a response longer than its length never reaches the client as the next response")
    func longResponse() throws {
        let fixture = try Fixture()
        fixture.handler.onRequest = {
            $0.sendHead(status: 200, reason: nil, framing: .length(2), hasDate: false) { _ in }
            $0.sendBody(ByteBuffer(string: "okHTTP/1.1 200 OK"))
        }
        try fixture.send(get)
        #expect(!fixture.isOpen)
        #expect(try !fixture.output().contains("okHTTP"))
    }

    @Test("a stream is chunked for HTTP/1.1 and ends with the connection for HTTP/1.0")
    func stream() throws {
        for (version, chunked) in [("1.1", true), ("1.0", false)] {
            let fixture = try Fixture()
            fixture.handler.onRequest = {
                $0.sendHead(status: 200, reason: nil, framing: .stream, hasDate: false) { _ in }
                $0.sendBody(ByteBuffer(string: "0123456789abcdef0"))
                $0.sendEnd()
                $0.flush()
            }
            try fixture.send("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
            let output = try fixture.output()
            if chunked {
                #expect(output.hasSuffix("\r\n\r\n11\r\n0123456789abcdef0\r\n0\r\n\r\n"))
            } else {
                #expect(output.hasSuffix("\r\n\r\n0123456789abcdef0"))
                #expect(!output.contains("transfer-encoding"))
                #expect(!fixture.isOpen)
            }
        }
    }

    @Test("P20: HEAD gets the length and no body")
    func head() throws {
        let fixture = try Fixture()
        try fixture.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        let output = try fixture.output()
        #expect(output.contains("content-length: 2\r\n"))
        #expect(output.hasSuffix("\r\n\r\n"))
    }

    @Test("a head that dribbles in is cut off after the header timeout")
    func slowHead() throws {
        let fixture = try Fixture { $0.headerTimeout = 3_000 }
        try fixture.send("GET / HT")
        fixture.advance(2)
        try fixture.send("TP/1.1\r\n")
        #expect(fixture.handler.lateCount == 0)
        fixture.advance(2)
        #expect(fixture.handler.lateCount == 1)
        #expect(try fixture.output().contains("408"))
    }

    @Test("an idle connection closes silently after the idle timeout")
    func idle() throws {
        let fixture = try Fixture { $0.idleTimeout = 5_000 }
        try fixture.send(get)
        _ = try fixture.output()
        fixture.advance(4)
        #expect(fixture.isOpen)
        fixture.advance(3)
        #expect(!fixture.isOpen)
        #expect(try fixture.output().isEmpty)
    }

    @Test("a body that stalls is cut off")
    func stalledBody() throws {
        let fixture = try Fixture { $0.idleTimeout = 5_000 }
        let collector = Collector()
        fixture.handler.onRequest = {
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhel")
        fixture.advance(10)
        #expect(collector.isClosed)
        #expect(fixture.handler.lateCount == 1)
    }

    @Test("draining closes idle connections and lets a response end with Connection: close")
    func drain() throws {
        let idle = try Fixture()
        idle.services.drain()
        #expect(!idle.isOpen)

        let busy = try Fixture()
        var held: Exchange?
        busy.handler.onRequest = { held = $0 }
        try busy.send(get)
        busy.services.drain()
        #expect(busy.isOpen)
        held?.respond(status: 200, body: ByteBuffer(string: "ok")) { _ in }
        #expect(try busy.output().contains("connection: close"))
        #expect(!busy.isOpen)
    }

    @Test("a client that leaves is told to the delegate, and the answer goes nowhere")
    func clientGone() throws {
        let fixture = try Fixture()
        let collector = Collector()
        var held: Exchange?
        fixture.handler.onRequest = {
            held = $0
            $0.delegate = collector
        }
        try fixture.send(get)
        fixture.channel.close(promise: nil)
        fixture.channel.embeddedEventLoop.run()
        #expect(collector.isClosed)
        held?.respond(status: 200, body: ByteBuffer(string: "late")) { _ in }
        #expect(try fixture.output().isEmpty)
        #expect(fixture.handler.finishedStatuses == [0])
    }

    @Test("answers that nobody reads are not added to: the next pipelined request waits")
    func unreadAnswers() throws {
        let fixture = try Fixture()
        fixture.channel.isWritable = false
        fixture.channel.pipeline.fireChannelWritabilityChanged()
        try fixture.send(get + get)
        #expect(fixture.handler.seen.isEmpty)
        fixture.channel.isWritable = true
        fixture.channel.pipeline.fireChannelWritabilityChanged()
        #expect(fixture.handler.seen.count == 2)
    }

    @Test("a complete request whose client sends no more is still answered")
    func halfClose() throws {
        let fixture = try Fixture()
        let collector = Collector()
        var exchange: Exchange?
        fixture.handler.onRequest = { exchange = $0 }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        fixture.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        exchange?.delegate = collector
        exchange?.startBody(limit: nil)
        #expect(collector.body == "hello")
        #expect(collector.isComplete)
        exchange?.respond(status: 200, body: ByteBuffer(string: "ok")) { _ in }
        #expect(try fixture.output().hasSuffix("ok"))
        #expect(!fixture.isOpen)
    }

    @Test("an answer that stalls after its client sends no more is given up within a second")
    func stallAfterHalfClose() throws {
        let fixture = try Fixture()
        let collector = Collector()
        fixture.handler.onRequest = { $0.delegate = collector }
        try fixture.send(get)
        fixture.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(fixture.isOpen && !collector.isClosed)
        fixture.channel.embeddedEventLoop.advanceTime(by: .milliseconds(900))
        #expect(!fixture.isOpen && collector.isClosed)
        #expect(fixture.handler.finishedStatuses == [0])
    }

    @Test("an answer that moves after its client sends no more is sent to its end")
    func progressAfterHalfClose() throws {
        let fixture = try Fixture()
        let collector = Collector()
        var exchange: Exchange?
        fixture.handler.onRequest = {
            exchange = $0
            $0.delegate = collector
        }
        try fixture.send(get)
        fixture.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        exchange?.sendHead(status: 200, reason: nil, framing: .stream, hasDate: false) { _ in }
        for _ in 0..<20 {
            fixture.channel.embeddedEventLoop.advanceTime(by: .milliseconds(300))
            exchange?.sendBody(ByteBuffer(string: "x"))
            exchange?.flush()
        }
        #expect(fixture.isOpen && !collector.isClosed)
        exchange?.sendEnd()
        #expect(try fixture.output().hasSuffix("0\r\n\r\n"))
        #expect(!fixture.isOpen)
    }

    @Test("a response that is aborted is sent as far as it was received, then the connection ends in order", arguments: [true, false])
    func abortOfAFramedResponse(isChunked: Bool) throws {
        let fixture = try Fixture()
        let collector = Collector()
        fixture.handler.onRequest = {
            $0.delegate = collector
            $0.sendHead(status: 200, reason: nil, framing: isChunked ? .stream : .length(100), hasDate: false) { _ in }
            $0.sendBody(ByteBuffer(string: "half"))
            $0.abort()
        }
        try fixture.send(get)
        let output = try fixture.output()
        #expect(output.hasPrefix("HTTP/1.1 200 OK\r\n") && output.contains("half") && !output.hasSuffix("0\r\n\r\n"))
        #expect(!fixture.isOpen && collector.isClosed)
        #expect(fixture.handler.finishedStatuses == [200])
    }

    @Test("half a request body is no request")
    func halfBody() throws {
        let fixture = try Fixture()
        let collector = Collector()
        fixture.handler.onRequest = {
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        fixture.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(collector.isClosed)
        #expect(!collector.isComplete)
        #expect(!fixture.isOpen)
    }

    @Test("a body that is asked for after the connection has closed sets no time limit")
    func lateBody() throws {
        let fixture = try Fixture { $0.idleTimeout = 5_000 }
        var exchange: Exchange?
        fixture.handler.onRequest = { exchange = $0 }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        let closed = try #require(exchange)
        try fixture.channel.close().wait()
        closed.startBody(limit: nil)
        closed.pauseBody(true)
        closed.pauseBody(false)
        fixture.advance(60)
        #expect(fixture.handler.lateCount == 0)
    }
}
