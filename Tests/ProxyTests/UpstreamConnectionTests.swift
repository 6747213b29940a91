import Primitives
import Decisions
import HTTPWire
import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy
@testable import Exchanges

/// An exchange that remembers what it is told.
final class RecordingExchange: Exchange {
    var onPause: () -> Void = {}
    var output: [String] = []
    var isAborted = false
    var wantsBody = false
    var takesMore = true

    init(loop: any EventLoop) {
        super.init(eventLoop: loop, peer: PeerAddress(nil), isSecure: false)
    }

    @available(*, unavailable)
    override init(eventLoop: any EventLoop, peer: PeerAddress, isSecure: Bool) { preconditionFailure("use init(loop:)") }

    override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) {
        var written = LineBytes()
        lines(&written)
        self.status = status
        output.append("head \(status) \(framing) \(String(decoding: written.bytes))")
    }
    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) { output.append("interim \(status)") }
    override func sendBody(_ bytes: ByteBuffer) { output.append("body \(String(buffer: bytes))") }
    override func sendEnd(trailers: ByteBuffer?) {
        output.append(trailers.map { "end \(String(buffer: $0))" } ?? "end")
        delegate = nil
    }
    override func flush() {}
    override func abort() {
        isAborted = true
        output.append("abort")
    }
    override func startBody(limit: Int?) { wantsBody = true }
    override func pauseBody(_ isPaused: Bool) {
        output.append(isPaused ? "pause" : "resume")
        onPause()
    }
    override func closeAfterResponse() {}
    override var isWritable: Bool { takesMore }
}

final class RecordingObserver: ForwardObserver {
    /// Of the next request.
    var owner: ConnectionOwner? = .noSession
    func connectionOwner(of exchange: Exchange) -> ConnectionOwner? { owner }
    var failures: [UpstreamFailure] = []
    var cutOffs: [UpstreamFailure] = []
    var opened: [LongResponse] = []
    func forward(_ exchange: Exchange, opened response: LongResponse) { opened.append(response) }
    func forward(_ exchange: Exchange, failed failure: ForwardFailure) { failures.append(failure.reason) }
    func forward(_ exchange: Exchange, cutOff failure: ForwardFailure) { cutOffs.append(failure.reason) }
}

/// Says after each flush that the channel takes more, as one does whose socket has taken all.
final class TellsOfItsWrites: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    func flush(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelWritabilityChanged()
    }
}

/// A pool whose connections are embedded channels.
final class UpstreamFixture {
    let loop = EmbeddedEventLoop()
    let observer = RecordingObserver()
    private(set) var channels: [EmbeddedChannel] = []
    // Made from `self`, so after everything else.
    private(set) var pool: UpstreamPool!

    init() {
        pool = UpstreamPool(
            target: UpstreamTarget(endpoint: .tcp(host: "upstream", port: 80), transport: .plain, label: "http://upstream"),
            settings: UpstreamSettings(), services: LoopServices(eventLoop: loop)
        ) { [unowned self] connection, _ in
            let channel = EmbeddedChannel(loop: self.loop)
            // A literal of the documentation range (RFC 5737).
            if let address = try? SocketAddress(ipAddress: "192.0.2.1", port: 80) { channel.connect(to: address, promise: nil) }
            try? channel.pipeline.syncOperations.addHandler(connection)
            connection.connected()
            self.channels.append(channel)
        }
    }

    func forward(
        _ method: HTTPWire.Method = .get, framing: BodyFraming = .none, acceptsTrailers: Bool = false, isSignedIn: Bool = false,
        endsTurn: Bool = true, authenticates: Bool = false, on exchange: RecordingExchange? = nil
    ) -> RecordingExchange {
        let exchange = exchange ?? RecordingExchange(loop: loop)
        let request = ForwardedRequest(
            head: ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), method: method, framing: framing, bodyLimit: nil,
            response: ResponseEdits(
                addedLines: nil, isPrivate: isSignedIn, cookies: GatewayCookieNames { $0.equals("session") }),
            authenticatesConnection: authenticates, acceptsTrailers: acceptsTrailers,
            trailers: framing == .chunked ? RequestTrailers(stripped: FoldedNameSet(names: ["X-Forwarded-User"])) : nil)
        pool.forward(request, of: exchange, observer: observer)
        if endsTurn { loop.run() }
        return exchange
    }

    func respond(_ text: String, on index: Int = 0) throws { try channels[index].writeInbound(ByteBuffer(string: text)) }

    func sent(on index: Int = 0) throws -> String {
        loop.run()
        var text = ""
        while let bytes = try channels[index].readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    func upstreamCloses(_ index: Int = 0) {
        channels[index].close(promise: nil)
        loop.run()
    }
}

@Suite("Upstream connections")
struct UpstreamConnectionTests {
    @Test("a response is passed on and the connection is used again")
    func reuse() throws {
        let fixture = UpstreamFixture()
        let first = fixture.forward()
        #expect(try fixture.sent() == "GET / HTTP/1.1\r\n\r\n")
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\nok")
        #expect(first.output == ["head 200 length(2) X-A: b\r\n", "body ok", "end"])
        let second = fixture.forward()
        #expect(fixture.channels.count == 1)
        try fixture.respond("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(second.output == ["head 204 none ", "end"])
    }

    @Test(
        "an event stream of a signed-in user is reported once its head has been sent",
        arguments: [
            ("text/event-stream", true, true), ("Text/Event-Stream; charset=utf-8", true, true), ("text/event-stream ;x=y", true, true),
            ("text/event-stream", false, false), ("text/event-streams", true, false), ("text/html", true, false), ("x", true, false),
        ])
    func eventStream(type: String, isSignedIn: Bool, isReported: Bool) throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward(isSignedIn: isSignedIn)
        _ = try fixture.sent()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(fixture.observer.opened == (isReported ? [.eventStream] : []))
    }

    @Test("a large part of a request is sent at once, a small one at the end of the turn")
    func largeAtOnce() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(.post, framing: .length(20_001))
        _ = try fixture.sent()
        func pass(_ body: ByteBuffer) {
            exchange.delegate?.exchange(exchange, received: body)
            exchange.delegate?.exchangeReadComplete(exchange)
        }
        pass(ByteBuffer(repeating: 0x78, count: 20_000))
        #expect(try fixture.channels[0].readOutbound(as: ByteBuffer.self)?.readableBytes == 20_000)
        pass(ByteBuffer(string: "y"))
        #expect(try fixture.channels[0].readOutbound(as: ByteBuffer.self) == nil)
        #expect(try fixture.sent() == "y")
    }

    @Test("P22: a byte too many closes the connection: it would be the next client's answer")
    func responseQueuePoisoning() throws {
        let fixture = UpstreamFixture()
        let first = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        #expect(first.output.last == "end")
        let second = fixture.forward()
        #expect(fixture.channels.count == 2)
        #expect(second.output.isEmpty)
    }

    @Test("P22: bytes on an unused connection close it")
    func unsolicitedBytes() throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        let second = fixture.forward()
        #expect(fixture.channels.count == 2)
        #expect(second.output.isEmpty)
    }

    @Test("P22: bytes that come before the request was sent are no answer to it: it goes elsewhere", arguments: [Method.get, .post])
    func answerBeforeTheRequest(method: HTTPWire.Method) throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let second = fixture.forward(method, endsTurn: false)
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        #expect(second.output.isEmpty)
        #expect(fixture.channels.count == 2)
        #expect(try fixture.sent(on: 1) == "GET / HTTP/1.1\r\n\r\n")
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", on: 1)
        #expect(second.output.suffix(2) == ["body ok", "end"])
    }

    @Test("requests of one turn are sent at its end; one whose client has gone by then is not")
    func sentAtTheEndOfTheTurn() throws {
        let fixture = UpstreamFixture()
        let first = fixture.forward(endsTurn: false)
        _ = fixture.forward(endsTurn: false)
        #expect(try fixture.channels.allSatisfy { try $0.readOutbound(as: ByteBuffer.self) == nil })
        first.delegate?.exchangeClosed(first)
        #expect(try fixture.sent(on: 0).isEmpty)
        #expect(try fixture.sent(on: 1) == "GET / HTTP/1.1\r\n\r\n")
    }

    @Test("P20: bytes after the answer to HEAD close the connection")
    func bodyAfterHead() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(.head)
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        #expect(exchange.output == ["head 200 lengthOnly(4) ", "end"])
        _ = fixture.forward()
        #expect(fixture.channels.count == 2)
    }

    @Test(
        "P21: a response that breaks a rule is a 502 and its connection is not used again",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\n", "SSH-2.0-x\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        ])
    func invalidResponse(text: String) throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond(text)
        #expect(fixture.observer.failures == [.invalidResponse])
        #expect(exchange.output.isEmpty)
        _ = fixture.forward()
        #expect(fixture.channels.count == 2)
    }

    @Test("P21: a response that is cut off aborts the client's connection")
    func truncated() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        fixture.upstreamCloses()
        #expect(exchange.output.last == "abort")
        #expect(fixture.observer.cutOffs == [.closedEarly])
    }

    @Test("P21: chunks that end without their last chunk are no end")
    func truncatedChunks() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        fixture.upstreamCloses()
        #expect(exchange.isAborted)
    }

    @Test("a body that the close delimits ends with it")
    func untilClose() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\n\r\nall")
        fixture.upstreamCloses()
        #expect(exchange.output == ["head 200 stream ", "body all", "end"])
    }

    @Test("P18: interim responses are passed on, 100 is not: we answer Expect ourselves")
    func interim() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(exchange.output == ["interim 103", "head 200 length(0) ", "end"])
    }

    @Test("P23: a request is repeated once when a kept connection closes before any answer, and only if that is safe")
    func retry() throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let second = fixture.forward()
        fixture.upstreamCloses(0)
        #expect(fixture.observer.failures.isEmpty)
        #expect(fixture.channels.count == 2)
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", on: 1)
        #expect(second.output.last == "end")

        let third = fixture.forward(.post)
        fixture.upstreamCloses(1)
        #expect(fixture.observer.failures == [.closedEarly])
        #expect(third.output.isEmpty)
        #expect(fixture.channels.count == 2)
    }

    /// A PUT on a connection that was kept, which closes when `sent` and no more of its body has come.
    private func interruptedPut(_ framing: BodyFraming, sent: String, isWhole: Bool) throws -> (UpstreamFixture, RecordingExchange) {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let exchange = fixture.forward(.put, framing: framing)
        exchange.delegate?.exchange(exchange, received: ByteBuffer(string: sent))
        if isWhole { exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil) }
        exchange.delegate?.exchangeReadComplete(exchange)
        _ = try fixture.sent()
        fixture.upstreamCloses(0)
        return (fixture, exchange)
    }

    @Test("P23: the body of an idempotent request is sent again with it")
    func bodySentAgain() throws {
        let (fixture, exchange) = try interruptedPut(.length(4), sent: "abcd", isWhole: true)
        #expect(fixture.observer.failures.isEmpty && fixture.channels.count == 2)
        #expect(try fixture.sent(on: 1) == "GET / HTTP/1.1\r\n\r\nabcd")
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", on: 1)
        #expect(exchange.output.last == "end")
    }

    @Test("P23: the rest of a body follows what is sent again")
    func restOfTheBody() throws {
        let (fixture, exchange) = try interruptedPut(.chunked, sent: "ab", isWhole: false)
        #expect(exchange.output == ["pause", "resume"])
        exchange.delegate?.exchange(exchange, received: ByteBuffer(string: "cd"))
        exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
        #expect(try fixture.sent(on: 1) == "GET / HTTP/1.1\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n")
    }

    @Test("P23: a body is sent again once")
    func bodySentAgainOnce() throws {
        let (fixture, _) = try interruptedPut(.length(4), sent: "abcd", isWhole: true)
        _ = try fixture.sent(on: 1)
        fixture.upstreamCloses(1)
        #expect(fixture.observer.failures == [.closedEarly] && fixture.channels.count == 2)
    }

    @Test("P23: a body that is too long to be kept is not sent again")
    func longBody() throws {
        let body = String(repeating: "x", count: BodyReplay.byteLimit + 1)
        for framing in [BodyFraming.length(body.utf8.count), .chunked] {
            let (fixture, _) = try interruptedPut(framing, sent: body, isWhole: true)
            #expect(fixture.observer.failures == [.closedEarly] && fixture.channels.count == 1)
        }
    }

    @Test("what a client sends while the channel writes is not lost")
    func bodyDuringAWrite() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(.post, framing: .length(4), endsTurn: false)
        try fixture.channels[0].pipeline.syncOperations.addHandler(TellsOfItsWrites(), position: .first)
        exchange.onPause = {
            exchange.onPause = {}
            exchange.delegate?.exchange(exchange, received: ByteBuffer(string: "cd"))
            exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
        }
        exchange.delegate?.exchange(exchange, received: ByteBuffer(string: "ab"))
        exchange.delegate?.exchangeReadComplete(exchange)
        #expect(try fixture.sent() == "GET / HTTP/1.1\r\n\r\nabcd")
    }

    @Test("P23: what had not been sent when the kept connection closed is sent on another, whatever its method")
    func closedBeforeTheRequest() throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        try fixture.respond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let second = fixture.forward(.post, endsTurn: false)
        fixture.upstreamCloses(0)
        #expect(fixture.observer.failures.isEmpty)
        try fixture.respond("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", on: 1)
        #expect(second.output.last == "end")
    }

    @Test("a fresh connection that closes is not tried again")
    func noRetryOnFreshConnection() throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        fixture.upstreamCloses()
        #expect(fixture.observer.failures == [.closedEarly])
        #expect(fixture.channels.count == 1)
    }

    @Test("an upstream that does not answer in time is a 504")
    func late() throws {
        let fixture = UpstreamFixture()
        _ = fixture.forward()
        fixture.loop.advanceTime(by: .seconds(59))
        #expect(fixture.observer.failures.isEmpty)
        fixture.loop.advanceTime(by: .seconds(3))
        #expect(fixture.observer.failures == [.responseTimeout])
        #expect(UpstreamFailure.responseTimeout.status == 504)
    }

    @Test("a chunked request is chunked anew, a length stays a length")
    func requestBodies() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(.post, framing: .chunked)
        #expect(exchange.wantsBody)
        exchange.delegate?.exchange(exchange, received: ByteBuffer(string: "0123456789abcdef"))
        exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
        #expect(try fixture.sent() == "GET / HTTP/1.1\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n")
    }

    @Test("P16: request trailers go on, but for what no client may send (RFC 9110 section 6.5.1)")
    func requestTrailers() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(.post, framing: .chunked)
        let trailers = "X-Checksum: 1\r\nx_forwarded.user: evil\r\nHost: evil\r\nX-Last: 2\r\n"
        exchange.delegate?.exchangeReceivedEnd(exchange, trailers: ByteBuffer(string: trailers))
        #expect(try fixture.sent() == "GET / HTTP/1.1\r\n\r\n0\r\nX-Checksum: 1\r\nX-Last: 2\r\n\r\n")
    }

    @Test("response trailers reach a client that asked for them, and no other (RFC 9110 section 6.5.1)", arguments: [true, false])
    func responseTrailers(acceptsTrailers: Bool) throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward(acceptsTrailers: acceptsTrailers)
        try fixture.respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\ngrpc-status: 0\r\nSet-Cookie: session=x\r\n\r\n")
        #expect(exchange.output.last == (acceptsTrailers ? "end grpc-status: 0\r\n" : "end"))
        _ = fixture.forward()
        #expect(fixture.channels.count == 1)
    }

    @Test("a client that leaves takes its upstream request along")
    func clientGone() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        exchange.delegate?.exchangeClosed(exchange)
        fixture.loop.run()
        #expect(!fixture.channels[0].isActive)
        _ = fixture.forward()
        #expect(fixture.channels.count == 2)
    }

    @Test("P1: hop-by-hop fields and what Connection names stay behind; so does a cookie under our name")
    func responseFields() throws {
        let fixture = UpstreamFixture()
        let exchange = fixture.forward()
        try fixture.respond(
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n"
                + "Set-Cookie: session=evil; Path=/\r\nSet-Cookie: app=1\r\nX-Stays: 2\r\nUpgrade: h2c\r\n\r\n")
        #expect(exchange.output.first == "head 200 length(0) Set-Cookie: app=1\r\nX-Stays: 2\r\n")
    }
}
