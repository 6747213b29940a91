public import HTTPWire
public import NIOCore

/// The framing of a response's body towards the client.
public enum ResponseFraming: Sendable, Equatable {
    /// No body follows and no length is announced (1xx, 204, 304 without a length).
    case none
    /// No body follows; the length is announced all the same (HEAD, 304).
    case lengthOnly(Int)
    case length(Int)
    /// Length unknown beforehand: chunked for HTTP/1.1, until close for HTTP/1.0.
    case stream
}

/// The responder of a request: a local page or an upstream connection. Called only on the exchange's event loop.
package protocol ExchangeDelegate: AnyObject {
    /// A part of the request body; only after `startBody`.
    func exchange(_ exchange: Exchange, received body: ByteBuffer)
    /// All received bytes of the body have been passed on: flush now.
    func exchangeReadComplete(_ exchange: Exchange)
    /// The request body is complete. `trailers`: the trailer section's lines as they came, nil when there are none.
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?)
    /// The request body broke a rule. The delegate stops using the exchange; the server answers or closes.
    func exchange(_ exchange: Exchange, failed error: WireError)
    /// The client can take more, or should be given a rest.
    func exchange(_ exchange: Exchange, isWritable: Bool)
    /// The client has disconnected; nothing more can be sent.
    func exchangeClosed(_ exchange: Exchange)
}

/// One request and its response, whatever the protocol version below.
///
/// An HTTP/1.1 connection uses one exchange for all its requests, one after another; `ticket` tells them apart for work that
/// comes back later. All members belong to the event loop. Open, because `Server` overrides the members that write to a connection. Each of
/// these traps here: every subclass overrides all of them, and a response must not vanish if one does not.
open class Exchange {
    package final let eventLoop: any EventLoop
    package final let peer: PeerAddress
    /// The request came in over TLS.
    package final let isSecure: Bool
    /// The server name and certificate of the TLS handshake; nil without TLS.
    package final var tls: TLSIdentity?
    /// For the log.
    package final var speaksHTTP2 = false
    package final var head = RequestHead()
    /// Changes with each request of the connection.
    package final var ticket: UInt64 = 0
    /// Held until the response ends or the client goes: a weak reference would make each retain of the delegate slow.
    package final var delegate: (any ExchangeDelegate)?
    /// The request handler's state of the connection.
    package final var connectionState: AnyObject?
    /// Upstream connections that belong to this connection alone; nil for nearly all.
    package final var bound: (any ClientBound)?
    /// The status sent, 0 before.
    package final var status = 0
    package final var record = ExchangeRecord()
    /// Milliseconds in which a body must move, for this request; 0: the server's own limit.
    package final var idleLimit: Int64 = 0
    /// Bytes a second that the body must bring while an answer waits for it; nil: as many as the server asks for.
    package final var bodyRate: Int?
    /// Whether the tunnel carries WebSocket; other tunnels are not parsed.
    package final var tunnelsWebSocket = true

    package init(eventLoop: any EventLoop, peer: PeerAddress, isSecure: Bool) {
        self.eventLoop = eventLoop
        self.peer = peer
        self.isSecure = isSecure
    }

    /// Sends a response head. `lines` appends complete field lines (`Name: value` CRLF); framing, `Date` and `Connection`
    /// are the server's. `reason` is the phrase's bytes, nil the standard one. `hasDate`: `lines` brings its own `Date`.
    open func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) { preconditionFailure("abstract") }
    /// An interim response (1xx) ahead of the final one; dropped for HTTP/1.0 clients.
    open func sendInterim(status: Int, lines: (inout LineBytes) -> Void) { preconditionFailure("abstract") }
    open func sendBody(_ bytes: ByteBuffer) { preconditionFailure("abstract") }
    /// Ends the response. `trailers`: complete `name: value` lines, sent where the framing has a place for them, else dropped.
    open func sendEnd(trailers: ByteBuffer?) { preconditionFailure("abstract") }
    package final func sendEnd() { sendEnd(trailers: nil) }
    open func flush() { preconditionFailure("abstract") }
    /// For a head that a body follows: the two go together if the body comes at once.
    open func flushHead() { flush() }
    /// Ends a response visibly incomplete, after what was sent of it: the client must not take it for whole.
    open func abort() { preconditionFailure("abstract") }
    /// Delivers the request body to the delegate from now on. Answers `Expect: 100-continue` when asked to.
    open func startBody(limit: Int?) { preconditionFailure("abstract") }
    open func pauseBody(_ isPaused: Bool) { preconditionFailure("abstract") }
    /// After a 101: from now on bytes go both ways as they come, through `sendBody` and the delegate, until one side ends.
    ///
    /// At `endEarly`, and when the server drains, the client of a WebSocket gets a close frame with status 1001 between two frames; any
    /// other tunnel just ends.
    open func startTunnel() { preconditionFailure("abstract") }
    /// Ends a response that is under way before its source does: a tunnel as above, any other response with the end that its framing has,
    /// or visibly incomplete where its framing has none. A WebSocket in the middle of a frame ends after it.
    open func endEarly() {
        reportClosed()
        sendEnd()
        flush()
    }
    /// The connection closes after this response.
    open func closeAfterResponse() { preconditionFailure("abstract") }
    open var isWritable: Bool { preconditionFailure("abstract") }

    /// Reports to the delegate, for the last time, that nothing more can be sent.
    package final func reportClosed() {
        let delegate = self.delegate.take()
        delegate?.exchangeClosed(self)
    }

    /// The bytes a second that the body of this request must bring, 0 for no limit: `serverRate` unless the request has its own. A call
    /// that streams (gRPC) has none: it may be silent before its answer begins.
    package final func leastBodyRate(_ serverRate: Int) -> Int {
        let rate = bodyRate ?? serverRate
        if rate == 0 { return 0 }
        let head = head
        guard let type = head.value(.contentType, in: head.bytes.byteSpan) else { return rate }
        return type.beginsIgnoringCase(with: "application/grpc") ? 0 : rate
    }

    /// Ends what belongs to the connection, which has closed.
    package final func endBound() {
        guard let bound = bound.take() else { return }
        bound.clientClosed()
    }

    /// A whole response from memory. A HEAD request gets its head alone.
    package final func respond(status: Int, body: ByteBuffer, lines: (inout LineBytes) -> Void) {
        let length = body.readableBytes
        if head.method == .head {
            sendHead(status: status, reason: nil, framing: .lengthOnly(length), hasDate: false, lines: lines)
        } else if status == 204 || status == 304 {
            sendHead(status: status, reason: nil, framing: .none, hasDate: false, lines: lines)
        } else {
            sendHead(status: status, reason: nil, framing: .length(length), hasDate: false, lines: lines)
            if length > 0 { sendBody(body) }
        }
        sendEnd()
        flush()
    }
}
