package import Exchanges
package import HTTPWire
package import NIOCore
import Primitives

/// An exchange that keeps its response, with a request body that is given at once when it is asked for.
package final class RecordingExchange: Exchange {
    package private(set) var lines = ""
    package private(set) var sent = ByteBuffer()
    private let body: String
    private let done: EventLoopPromise<Response>

    package struct Response: Sendable {
        package var status: Int
        package var lines: String
        package var body: String
    }

    package var response: EventLoopFuture<Response> { done.futureResult }

    package init(_ head: RequestHead, body: String, on eventLoop: any EventLoop) {
        self.body = body
        done = eventLoop.makePromise()
        super.init(eventLoop: eventLoop, peer: PeerAddress(nil), isSecure: false)
        self.head = head
        ticket = 1
    }

    package override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines write: (inout LineBytes) -> Void
    ) {
        self.status = status
        var lines = LineBytes()
        write(&lines)
        self.lines = String(decoding: lines.bytes)
    }
    package override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {}
    package override func sendBody(_ bytes: ByteBuffer) { sent.writeImmutableBuffer(bytes) }
    package override func sendEnd(trailers: ByteBuffer?) {
        done.succeed(Response(status: status, lines: lines, body: String(buffer: sent)))
    }
    package override func flush() {}
    package override func abort() {}
    package override func startBody(limit: Int?) {
        delegate?.exchange(self, received: ByteBuffer(string: body))
        delegate?.exchangeReceivedEnd(self, trailers: nil)
    }
    package override func pauseBody(_ isPaused: Bool) {}
    package override func startTunnel() {}
    package override func closeAfterResponse() {}
    package override var isWritable: Bool { true }
}
