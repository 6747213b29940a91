import Exchanges
import HTTPWire
import NIOCore

/// An exchange that keeps its response, with a request body that is given at once when it is asked for.
final class RecordingExchange: Exchange {
    private(set) var lines = ""
    private(set) var sent = ByteBuffer()
    private let body: String
    private let done: EventLoopPromise<Response>

    struct Response: Sendable {
        var status: Int
        var lines: String
        var body: String
    }

    var response: EventLoopFuture<Response> { done.futureResult }

    init(_ head: RequestHead, body: String, on eventLoop: any EventLoop) {
        self.body = body
        done = eventLoop.makePromise()
        super.init(eventLoop: eventLoop, peer: PeerAddress(nil), isSecure: false)
        self.head = head
        ticket = 1
    }

    override func sendHead(
        status: Int, reason: UnsafeRawBufferPointer?, framing: ResponseFraming, hasDate: Bool, lines write: (inout LineBytes) -> Void
    ) {
        self.status = status
        var lines = LineBytes()
        write(&lines)
        self.lines = String(decoding: lines.bytes, as: UTF8.self)
    }
    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {}
    override func sendBody(_ bytes: ByteBuffer) { sent.writeImmutableBuffer(bytes) }
    override func sendEnd(trailers: ByteBuffer?) {
        done.succeed(Response(status: status, lines: lines, body: String(buffer: sent)))
    }
    override func flush() {}
    override func abort() {}
    override func startBody(limit: Int?) {
        delegate?.exchange(self, received: ByteBuffer(string: body))
        delegate?.exchangeReceivedEnd(self, trailers: nil)
    }
    override func pauseBody(_ isPaused: Bool) {}
    override func startTunnel() {}
    override func closeAfterResponse() {}
    override var isWritable: Bool { true }
}
