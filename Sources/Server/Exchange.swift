package import HTTPWire
package import NIOCore

/// The framing of a response's body towards the client.
package enum ResponseFraming: Sendable, Equatable {
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

/// Decides what happens with a request. One for each event loop; called on that loop only.
package protocol RequestHandler: AnyObject {
    /// A head that was parsed strictly. The handler answers now or later, exactly once.
    func handle(_ exchange: Exchange)
    /// A message that was refused while it was read; `exchange.head` may be empty. The handler writes the answer; the
    /// connection is closed after it. `resemblesBrowser`: what was received looks like a browser's request.
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool)
    /// The request head, or the body, took too long.
    func refuseLate(_ exchange: Exchange)
    /// A client sent something that was no TLS handshake, or one that came to nothing.
    func handshakeFailed(_ peer: PeerAddress, reason: String)
    /// So many idle connections were closed because the process runs out of descriptors.
    func closedIdleConnections(_ count: Int)
    /// A connection was closed before its first request.
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress)
    /// The system gives no connection, most often because the process may open no more files; it is asked again in a second.
    func acceptFailed(_ error: IOError)
    /// Called when a response has ended or its client has disconnected, for the access log and the metrics.
    func finished(_ exchange: Exchange)
}

/// One request and its response, whatever the protocol version below.
///
/// An HTTP/1.1 connection uses one exchange for all its requests, one after another; `ticket` tells them apart for work that
/// comes back later. All members belong to the event loop.
package class Exchange {
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
    /// The status sent, 0 before.
    package final var status = 0
    package final var sentBodyBytes = 0
    package final var receivedBodyBytes = 0
    /// The time at which the head was complete, for durations in logs.
    package final var startedAt = NIODeadline.uptimeNanoseconds(0)
    /// The time at which the response head was sent; before that, an earlier request's.
    package final var respondedAt = NIODeadline.uptimeNanoseconds(0)
    /// Milliseconds in which a body must move, for this request; 0: the server's own limit.
    package final var idleLimit: Int64 = 0
    /// Bytes a second that the body must bring while an answer waits for it; nil: as many as the server asks for.
    package final var bodyRate: Int?
    /// Whether the tunnel carries WebSocket; other tunnels are not parsed.
    package final var tunnelsWebSocket = true
    /// The response was cut short: by the client, by a limit, or by `abort`.
    package final var wasAborted = false

    package init(eventLoop: any EventLoop, peer: PeerAddress, isSecure: Bool) {
        self.eventLoop = eventLoop
        self.peer = peer
        self.isSecure = isSecure
    }

    /// Sends a response head. `lines` appends complete field lines (`Name: value` CRLF); framing, `Date` and `Connection`
    /// are the server's. `reason` is the phrase's bytes, nil the standard one. `hasDate`: `lines` brings its own `Date`.
    package func sendHead(
        status: Int, reason: UnsafeRawBufferPointer?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) { preconditionFailure("abstract") }
    /// An interim response (1xx) ahead of the final one; dropped for HTTP/1.0 clients.
    package func sendInterim(status: Int, lines: (inout LineBytes) -> Void) { preconditionFailure("abstract") }
    package func sendBody(_ bytes: ByteBuffer) { preconditionFailure("abstract") }
    /// Ends the response. `trailers`: complete `name: value` lines, sent where the framing has a place for them, else dropped.
    package func sendEnd(trailers: ByteBuffer?) { preconditionFailure("abstract") }
    package final func sendEnd() { sendEnd(trailers: nil) }
    package func flush() { preconditionFailure("abstract") }
    /// For a head that a body follows: the two go together if the body comes at once.
    package func flushHead() { flush() }
    /// Ends a response visibly incomplete, after what was sent of it: the client must not take it for whole.
    package func abort() { preconditionFailure("abstract") }
    /// Delivers the request body to the delegate from now on. Answers `Expect: 100-continue` when asked to.
    package func startBody(limit: Int?) { preconditionFailure("abstract") }
    package func pauseBody(_ isPaused: Bool) { preconditionFailure("abstract") }
    /// After a 101: from now on bytes go both ways as they come, through `sendBody` and the delegate, until one side ends.
    ///
    /// At `endEarly`, and when the server drains, the client of a WebSocket gets a close frame with status 1001 between two frames; any
    /// other tunnel just ends.
    package func startTunnel() { preconditionFailure("abstract") }
    /// Ends a response that is under way before its source does: a tunnel as above, any other response with the end that its framing has,
    /// or visibly incomplete where its framing has none. A WebSocket in the middle of a frame ends after it.
    package func endEarly() {
        let delegate = self.delegate
        self.delegate = nil
        delegate?.exchangeClosed(self)
        sendEnd()
        flush()
    }
    /// The connection closes after this response.
    package func closeAfterResponse() { preconditionFailure("abstract") }
    package var isRequestComplete: Bool { preconditionFailure("abstract") }
    package var isWritable: Bool { preconditionFailure("abstract") }

    /// The rate that the body of this request is held to: none of a call that streams (gRPC), which may be silent before its answer begins.
    final func leastBodyRate(_ settings: ServerSettings) -> Int {
        let rate = bodyRate ?? settings.bodyRate
        if rate == 0 { return 0 }
        let isCall = withBytes(of: head.bytes) { bytes, _ in
            head.first(.contentType).map {
                $0.valueLength >= 16 && equalsIgnoringASCIICase(bytes + Int($0.valueStart), 16, "application/grpc")
            }
        }
        return isCall == true ? 0 : rate
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

/// The address of a connection's peer, rendered once.
package struct PeerAddress: Sendable {
    /// An IP address, or `unix` for a local socket.
    package let text: String
    package let isLocalSocket: Bool

    package init(_ address: SocketAddress?) {
        if let ip = address?.ipAddress {
            // `::ffff:192.0.2.1` is 192.0.2.1 seen through a dual-stack socket.
            text = ip.hasPrefix("::ffff:") && ip.utf8.contains(UInt8(ascii: ".")) ? String(ip.dropFirst(7)) : ip
            isLocalSocket = false
        } else {
            text = "unix"
            isLocalSocket = true
        }
    }

    /// The address that a trusted proxy named.
    package init(_ address: NetworkAddress) {
        text = address.description
        isLocalSocket = false
    }
}
