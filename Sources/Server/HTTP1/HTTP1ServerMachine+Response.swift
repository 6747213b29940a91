import Exchanges
import HTTPWire
import NIOCore

// The response, and the end of the connection.
extension HTTP1ServerMachine {
    // MARK: Response

    /// Only one head is sent, and nothing before it but interim responses.
    var maySendHead: Bool { isPending && !isClosed }

    /// What a response head depends on besides its framing.
    struct HeadContext {
        var isSwitching: Bool
        /// The request's version and its wish to keep the connection.
        var minorVersion: UInt8
        var keepsAlive: Bool
        /// The server ends.
        var isDraining: Bool
    }

    /// Begins the response, and ends the head in `lines` with its framing and what becomes of the connection.
    @inline(__always)
    mutating func beginResponse(_ framing: ResponseFraming, _ context: HeadContext, into lines: inout LineBytes) -> HTTP1Actions {
        let isSwitching = context.isSwitching
        if !isSwitching, !isRequestComplete || !context.keepsAlive || context.isDraining { closeAfterResponse() }
        switch framing {
        case .none:
            response = .streaming(isSwitching ? .untilClose : .length(0))
        case .lengthOnly(let length):
            response = .streaming(.length(0))
            Self.writeLength(length, into: &lines)
        case .length(let length):
            response = .streaming(.length(length))
            Self.writeLength(length, into: &lines)
        case .stream:
            if context.minorVersion == 1 {
                response = .streaming(.chunked)
                lines.put("transfer-encoding: chunked\r\n")
            } else {
                response = .streaming(.untilClose)
                closeAfterResponse()
            }
        }
        if !isSwitching, isLastResponse {
            lines.put("connection: close\r\n\r\n")
        } else if !isSwitching, context.minorVersion == 0 {
            lines.put("connection: keep-alive\r\n\r\n")
        } else {
            lines.put("\r\n")
        }
        guard case .full = output else { return [] }
        limit = .write
        return .setDeadline
    }

    private static func writeLength(_ length: Int, into lines: inout LineBytes) {
        lines.put("content-length: ")
        lines.put(number: length)
        lines.put("\r\n")
    }

    enum Part {
        /// There is no response that the bytes could belong to.
        case drop
        /// More than was announced would be read as the next response.
        case abort
        case plain, chunk
    }

    /// A part of the response's body.
    @inline(__always)
    mutating func sendPart(_ count: Int) -> Part {
        guard case .streaming(let framing) = response, count > 0, !isClosed else { return .drop }
        switch framing {
        case .length(let rest):
            guard count <= rest else { return .abort }
            response = .streaming(.length(rest - count))
            return .plain
        case .chunked: return .chunk
        case .untilClose: return .plain
        }
    }

    enum ResponseEnd {
        /// There is no response to end.
        case drop
        /// Less than was announced has been sent.
        case abort
        case plain, lastChunk
    }

    /// The response is whole. `next` follows.
    mutating func endResponse() -> ResponseEnd {
        guard case .streaming(let framing) = response, !isClosed else { return .drop }
        switch framing {
        case .length(let rest):
            if rest > 0 { return .abort }
            response = .none
            return .plain
        case .chunked:
            response = .none
            return .lastChunk
        case .untilClose:
            response = .none
            return .plain
        }
    }

    enum Next {
        /// The last bytes are written out: see `finish`.
        case finish
        /// The connection waits for a request.
        case idle
        /// The next request has begun to arrive.
        case request
    }

    /// What follows a response. `head`: the request's, whose memory is used again.
    mutating func next(after head: inout RequestHead) -> Next {
        if isLastResponse || inbox.isEnded { return .finish }
        head.recycle(into: &parser)
        request = .head
        // A read that was held back, or a client that does not read, is dealt with like a request.
        guard inbox.isEmpty, !inbox.isReadHeld, case .writable = output else { return .request }
        limit = .idle
        return .idle
    }

    // MARK: Tunnel

    /// After a 101 bytes go both ways as they come.
    mutating func startTunnel(isWebSocket: Bool) -> HTTP1Actions {
        guard isStreaming, !isClosed else { return [] }
        tunnel = Tunnel(frames: isWebSocket ? WebSocketFrames() : nil)
        // An upstream that switches before it has read the body is still as full as before.
        if request == .body, body.delivery == .paused || body.delivery == .unwantedPaused { tunnel.phase = .paused }
        request = .tunnel
        closeAfterResponse()
        return .process
    }

    /// Bytes were sent to the client of a tunnel.
    mutating func tunnelSent(_ bytes: ByteBuffer) -> HTTP1Actions {
        guard request == .tunnel else { return [] }
        tunnel.frames?.consume(bytes)
        switch tunnel.phase {
        case .open, .paused: return []
        case .ending, .endingPaused: return endTunnel()
        }
    }

    /// The tunnel ends once the last frame is complete; a WebSocket gets a close frame (going away) first.
    mutating func endTunnel() -> HTTP1Actions {
        guard request == .tunnel, isStreaming else { return [] }
        switch tunnel.phase {
        case .open: tunnel.phase = .ending
        case .paused: tunnel.phase = .endingPaused
        case .ending, .endingPaused: break
        }
        guard let frames = tunnel.frames else {
            ending = .afterRefusal
            return [.reportClosed, .endResponse]
        }
        guard frames.isAtBoundary else { return [] }
        ending = .afterRefusal
        return frames.sawClose ? [.reportClosed, .endResponse] : [.sendGoingAway, .reportClosed, .endResponse]
    }

    // MARK: Ends

    mutating func closeAfterResponse() {
        if case .open = ending { ending = .afterResponse }
    }

    /// The last response is written out. After that the connection closes: at once when everything was read, else after a while.
    mutating func finish() -> HTTP1Actions {
        guard !isFinishing else { return [] }
        var lingers = !isRequestComplete || !inbox.isEmpty || parser.isInHead
        if case .afterRefusal = ending { lingers = true }
        ending = .finishing(lingers: lingers && !inbox.isEnded)
        limit = .write
        return [.setDeadline, .finish]
    }

    /// The socket has taken the last byte of the last response.
    mutating func written() -> HTTP1Actions {
        guard case .finishing(let lingers) = ending else { return [] }
        guard lingers, !inbox.isEnded else {
            ending = .closed
            return .close
        }
        ending = .lingering
        inbox.clear()
        limit = .linger
        return inbox.resumesReading(hasRoom: true) ? [.setDeadline, .closeOutput, .resumeReading] : [.setDeadline, .closeOutput]
    }

    /// Ends a response visibly incomplete. Where its framing shows the truncation, the client gets what was received, then a FIN.
    mutating func abort() -> HTTP1Actions {
        guard case .streaming(let framing) = response, !isClosed else { return terminate() }
        if case .untilClose = framing { return terminate() }
        if isRequestComplete { closeAfterResponse() } else { ending = .afterRefusal }
        request = .complete
        response = .none
        return finish().union([.noteAborted, .reportClosed, .reportFinished])
    }

    /// Closes at once, in the middle of a response if need be.
    func terminate() -> HTTP1Actions {
        if isClosed { return [] }
        return isStreaming ? [.noteAborted, .discardOutput, .resetOnClose, .close] : [.noteAborted, .discardOutput, .close]
    }

    /// The channel has closed. True if a response was under way.
    mutating func close() -> Bool {
        ending = .closed
        limit = .none
        defer { response = .none }
        return isAnswering
    }

    // MARK: Events

    /// The connection is open, or was handed over from another handler.
    mutating func open() -> HTTP1Actions {
        limit = .idle
        return .setDeadline
    }

    /// The client sends no more. A complete request still gets its response, unless that stalls: see `HalfCloseWatch`.
    mutating func inputEnded() -> HTTP1Actions {
        inbox.end()
        if isFinishing || isClosed { return [] }
        // Neither side of a WebSocket goes on alone.
        if isTunnel { return .close }
        if case .lingering = ending { return .close }
        if request == .head, !isAnswering, inbox.isEmpty { return .close }
        closeAfterResponse()
        return .process
    }

    /// The channel's output fills up, or has room again.
    mutating func outputChanged(_ output: Output) -> HTTP1Actions {
        self.output = output
        if discardsInput { return [] }
        switch output {
        case .full:
            guard isStreaming, !isTunnel else { return .reportWritability }
            limit = .write
            return [.setDeadline, .reportWritability]
        case .writable:
            let process: HTTP1Actions = isAnswering ? .reportWritability : [.reportWritability, .process]
            guard case .write = limit, !isFinishing else { return process }
            limit = isAnswering ? .none : .idle
            return process.union(isAnswering ? .clearDeadline : .setDeadline)
        }
    }

    /// The limit has passed. A body's progress has been looked at.
    mutating func deadlineExpired() -> HTTP1Actions {
        let expired = limit
        limit = .none
        switch expired {
        case .none: return []
        case .idle, .linger:
            ending = .closed
            return .close
        case .head:
            refuse()
            return [.beginExchange, .answerLate]
        case .body:
            guard isPending else { return abort() }
            refuse()
            return [.reportClosed, .answerLate]
        // The client does not read.
        case .write: return terminate()
        }
    }

    /// No further request is taken; an idle connection closes at once.
    mutating func drain() -> HTTP1Actions {
        if isClosed { return [] }
        if request == .head, !isAnswering { return inbox.isEmpty && !isFinishing ? .close : [] }
        if isTunnel { return endTunnel() }
        closeAfterResponse()
        return []
    }

    /// The descriptor of the idle connection is needed.
    mutating func closeIdle() { ending = .closed }
}
