import Exchanges
import Glibc
import HTTPWire
import NIOCore
import Transport

/// One HTTP/1.1 connection: requests one after another, each an exchange.
///
/// The next request is looked at only when the response before it has ended, so answers keep their order and a refused
/// request ends all that was pipelined behind it (RFC 9112 section 9.3.2).
final class HTTP1Connection: Exchange, ChannelDuplexHandler, DeadlineOwner, ServedConnection, DeferredSender, ByteReceiver {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum RequestPhase { case head, body, complete, tunnel }
    private enum ResponsePhase { case none, pending, streaming }
    private enum Ending { case no, afterResponse, lingering, closed }
    private enum Limit { case idle, head, body, write, linger }

    private let handler: any RequestHandler
    private let settings: ServerSettings
    private let loop: ServerLoop
    // The loop's. Through it, references to them would be counted at each call.
    private let wheel: DeadlineWheel
    private let sends: DeferredSends
    private let deadline = Deadline()
    private var limit = Limit.idle
    private var context: ChannelHandlerContext?
    /// The last reported writability of the channel.
    private var takesMore = true

    private var parser: RequestHeadParser
    private var inbox = ByteBuffer()
    private var decoder = BodyDecoder(.none)
    private var request = RequestPhase.head
    private var isBodyWanted = false
    private var isBodyPaused = false
    private var bodyLimit: Int?
    private var isProcessing = false
    private var isReadHeld = false
    private var isInputClosed = false

    private var response = ResponsePhase.none
    private var isChunked = false
    /// The bytes of `Content-Length` that are still missing; nil for a stream.
    private var promised: Int?
    private var ending = Ending.no
    /// Without memory of its own while nothing is to be written.
    private var output = ByteBuffer()
    private var hasUnflushedWrites = false
    /// Among them are parts of a body that were too large to be copied together.
    private var hasLargeWrites = false
    /// `sendDeferred` will be called.
    private var isSendDeferred = false
    /// The same, once the loop has nothing else to do.
    private var isSendHeld = false
    /// Nil for a channel of another kind, as in tests.
    private var socket: SocketChannel?
    /// Nothing stands between this handler and the socket: bytes go past the pipeline, both ways.
    private var isDirect = false
    private var hasBodyToFlush = false
    /// The last response is being written out before the end.
    private var isFinishing = false
    /// The request was refused in the middle: its sender must get to read why.
    private var mustLinger = false
    private var frames = WebSocketFrames()
    private var progress = BodyProgress()
    private var endsTunnel = false
    /// Set once the client has sent a FIN during an exchange.
    private var halfCloseWatch: HalfCloseWatch?

    /// A client that sends ahead is read up to here and then left waiting.
    private let inboxLimit: Int
    /// Smaller pieces are copied together into one write.
    private static let coalesceLimit = 16 * 1024

    init(
        channel: any Channel, peer: PeerAddress, handler: any RequestHandler, settings: ServerSettings, loop: ServerLoop,
        tls: TLSIdentity? = nil
    ) {
        self.handler = handler
        self.settings = settings
        self.loop = loop
        wheel = loop.wheel
        sends = loop.sends
        parser = RequestHeadParser(limits: settings.headLimits)
        inboxLimit = max(64 * 1024, settings.headLimits.bytes + 1024)
        super.init(eventLoop: channel.eventLoop, peer: peer, isSecure: tls != nil)
        self.tls = tls
        deadline.owner = self
    }

    @available(*, unavailable)
    override init(eventLoop: any EventLoop, peer: PeerAddress, isSecure: Bool) {
        preconditionFailure("a connection needs its channel")
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        takesMore = context.channel.isWritable
        socket = context.channel as? SocketChannel
        isDirect = tls == nil && socket != nil
        if isDirect { socket?.receiver = self }
        loop.connections.insert(self)
        // Added after a handshake, or once the first bytes said which version it is.
        if context.channel.isActive { startLimit(.idle) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        wheel.cancel(deadline)
        halfCloseWatch?.cancel()
        loop.connections.remove(self)
        self.context = nil
        socket?.receiver = nil
        socket = nil
        isDirect = false
    }

    func channelActive(context: ChannelHandlerContext) {
        startLimit(.idle)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received(&bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The channel would ask the whole pipeline for the next read; this is shorter.
        if receivedAll() { socket?.read0() }
    }

    func received(_ bytes: inout ByteBuffer) {
        if ending == .lingering || ending == .closed { return }
        if inbox.readableBytes == 0 {
            swap(&inbox, &bytes)
        } else {
            if inbox.readerIndex > 32 * 1024 { inbox.discardReadBytes() }
            inbox.writeBuffer(&bytes)
        }
        process()
        // The next read can use its memory again.
        if inbox.readableBytes == 0 { inbox.release(to: &bytes) }
    }

    func receivedAll() -> Bool {
        flush()
        isReadHeld = inbox.readableBytes >= inboxLimit
        return !isReadHeld
    }

    func read(context: ChannelHandlerContext) {
        guard inbox.readableBytes < inboxLimit else { return isReadHeld = true }
        if let socket { socket.read0() } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        takesMore = isWritable
        if ending == .lingering || ending == .closed { return }
        if !isWritable {
            if response == .streaming, request != .tunnel { startLimit(.write) }
        } else if limit == .write, !isFinishing {
            if response == .none { startLimit(.idle) } else { wheel.clear(deadline) }
        }
        delegate?.exchange(self, isWritable: isWritable)
        if isWritable, response == .none { process() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            inputClosed()
        } else if event is SocketEvent {
            // A tunnel has no limit but its two ends.
            if request == .tunnel { socket?.readToEnd() } else { watchHalfClose() }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// The client sends no more. A complete request still gets its response, unless that stalls: see `HalfCloseWatch`.
    private func inputClosed() {
        isInputClosed = true
        if isFinishing { return }
        if request == .tunnel {
            // Neither side of a WebSocket goes on alone.
            return close()
        }
        if ending == .lingering || request == .head && response == .none && inbox.readableBytes == 0 {
            close()
        } else {
            closeAfterResponse()
            process()
            watchHalfClose()
        }
    }

    private func watchHalfClose() {
        guard halfCloseWatch == nil, response != .none, ending != .closed else { return }
        halfCloseWatch = HalfCloseWatch(self, wheel)
    }

    /// Whether a response is being prepared or sent.
    var isAnswering: Bool { response != .none }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the client and its like: nothing more can be said to it.
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    private func ended() {
        guard ending != .closed || response != .none else { return cleanUp() }
        ending = .closed
        if response != .none {
            wasAborted = true
            response = .none
            let delegate = self.delegate
            self.delegate = nil
            delegate?.exchangeClosed(self)
            handler.finished(self)
        }
        cleanUp()
    }

    private func cleanUp() {
        wheel.cancel(deadline)
        halfCloseWatch?.cancel()
        halfCloseWatch = nil
        loop.connections.remove(self)
        connectionState = nil
    }

    // MARK: Reading

    private func process() {
        guard !isProcessing else { return }
        isProcessing = true
        defer {
            isProcessing = false
            if hasBodyToFlush {
                hasBodyToFlush = false
                delegate?.exchangeReadComplete(self)
            }
        }
        while ending != .lingering && ending != .closed {
            switch request {
            case .head:
                guard response == .none, !isFinishing else { return releaseRead() }
                // No further responses for a client that does not read.
                guard isWritable else {
                    if limit != .write { startLimit(.write) }
                    return releaseRead()
                }
                guard readHead() else {
                    if isInputClosed { close() }
                    return releaseRead()
                }
            case .body:
                guard isBodyWanted, !isBodyPaused else { return releaseRead() }
                guard readBody() else { return releaseRead() }
            case .complete:
                return releaseRead()
            case .tunnel:
                guard !isBodyPaused, let bytes = inbox.readSlice(length: inbox.readableBytes), bytes.readableBytes > 0 else {
                    return releaseRead()
                }
                receivedBodyBytes += bytes.readableBytes
                hasBodyToFlush = true
                delegate?.exchange(self, received: bytes)
            }
        }
        inbox.clear()
        releaseRead()
    }

    private func releaseRead() {
        if isReadHeld, inbox.readableBytes < inboxLimit {
            isReadHeld = false
            context?.read()
        }
    }

    /// True when a request was begun.
    private func readHead() -> Bool {
        guard inbox.readableBytes > 0 else { return false }
        do throws(WireError) {
            guard try parser.parse(&inbox, into: &head) else {
                // From the head's first byte on, however often it goes on.
                if limit != .head { startLimit(.head) }
                return false
            }
            begin()
        } catch {
            refuse(error)
            return false
        }
        return true
    }

    private func begin() {
        ticket &+= 1
        status = 0
        sentBodyBytes = 0
        receivedBodyBytes = 0
        wasAborted = false
        idleLimit = 0
        bodyRate = nil
        tunnelsWebSocket = true
        startedAt = eventLoop.now
        request = head.framing == .none ? .complete : .body
        if request == .body { decoder = BodyDecoder(head.framing) }
        isBodyWanted = false
        isBodyPaused = false
        bodyLimit = nil
        mustLinger = false
        response = .pending
        limit = .idle
        wheel.clear(deadline)
        handler.handle(self)
    }

    /// True while progress is made.
    private func readBody() -> Bool {
        do throws(WireError) {
            switch try decoder.next(&inbox) {
            case .data(let bytes):
                receivedBodyBytes += bytes.readableBytes
                if let bodyLimit, receivedBodyBytes > bodyLimit { throw .bodyTooLarge }
                delegate?.exchange(self, received: bytes)
                hasBodyToFlush = true
                if limit == .body { progress.received(bytes.readableBytes, at: wheel.now) }
                return true
            case .end:
                request = .complete
                if limit == .body { wheel.clear(deadline) }
                delegate?.exchangeReceivedEnd(self, trailers: decoder.trailers)
                return true
            case .needsMore:
                if isInputClosed {
                    // Half a request body is no request.
                    let delegate = self.delegate
                    self.delegate = nil
                    delegate?.exchangeClosed(self)
                    abort()
                }
                return false
            }
        } catch {
            let delegate = self.delegate
            self.delegate = nil
            delegate?.exchange(self, failed: error)
            if response == .pending { refuse(error) } else { abort() }
            return false
        }
    }

    /// Answers a malformed message, then closes the connection, because the message's end is unknown.
    private func refuse(_ error: WireError) {
        let resemblesBrowser = response == .none && Self.resemblesBrowser(inbox)
        beginRefusal()
        handler.refuse(self, error, resemblesBrowser: resemblesBrowser)
    }

    private func beginRefusal() {
        if response == .none {
            head = RequestHead()
            ticket &+= 1
            status = 0
            sentBodyBytes = 0
            receivedBodyBytes = 0
            startedAt = eventLoop.now
            response = .pending
        }
        ending = .afterResponse
        request = .complete
        mustLinger = true
    }

    private static func resemblesBrowser(_ inbox: ByteBuffer) -> Bool {
        let window = inbox.getSlice(at: inbox.readerIndex, length: min(inbox.readableBytes, 16 * 1024))
        return window?.readableBytesView.firstRange(of: "text/html".utf8) != nil
    }

    // MARK: Exchange

    override var isRequestComplete: Bool { request == .complete }
    override var isWritable: Bool { context != nil && takesMore }

    override func startBody(limit: Int?) {
        // A deadline that is set now would outlive the connection.
        guard ending != .closed else { return }
        guard request == .body else {
            if request == .complete { delegate?.exchangeReceivedEnd(self, trailers: nil) }
            return
        }
        bodyLimit = limit
        isBodyWanted = true
        startLimit(.body)
        if head.expectsContinue, response == .pending, inbox.readableBytes == 0 {
            sendInterim(status: 100) { _ in }
        }
        process()
    }

    override func pauseBody(_ isPaused: Bool) {
        guard isBodyPaused != isPaused, ending != .closed else { return }
        isBodyPaused = isPaused
        if request == .tunnel { return process() }
        if isPaused {
            if limit == .body { wheel.clear(deadline) }
        } else {
            startLimit(.body)
            process()
        }
    }

    override func closeAfterResponse() {
        if ending == .no { ending = .afterResponse }
    }

    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {
        guard response == .pending, head.minorVersion == 1, ending != .closed else { return }
        prepareOutput()
        loop.lines.removeAll()
        StatusLine.write(status: status, reason: nil, into: &loop.lines)
        lines(&loop.lines)
        loop.lines.put("\r\n")
        output.writeBytes(loop.lines.bytes)
        flush()
    }

    override func sendHead(
        status: Int, reason: UnsafeRawBufferPointer?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) {
        guard response == .pending, ending != .closed else { return }
        prepareOutput()
        response = .streaming
        self.status = status
        respondedAt = eventLoop.now
        let isSwitching = status == 101
        if !isSwitching, request != .complete || !head.keepsAlive || loop.isDraining { closeAfterResponse() }
        loop.lines.removeAll()
        StatusLine.write(status: status, reason: reason, into: &loop.lines)
        lines(&loop.lines)
        if !hasDate { loop.lines.put(loop.dateLine()) }
        isChunked = false
        switch framing {
        case .none:
            promised = isSwitching ? nil : 0
        case .lengthOnly(let length):
            promised = 0
            writeLength(length)
        case .length(let length):
            promised = length
            writeLength(length)
        case .stream:
            promised = nil
            if head.minorVersion == 1 {
                isChunked = true
                loop.lines.put("transfer-encoding: chunked\r\n")
            } else {
                closeAfterResponse()
            }
        }
        if !isSwitching, ending == .afterResponse {
            loop.lines.put("connection: close\r\n\r\n")
        } else if !isSwitching, head.minorVersion == 0 {
            loop.lines.put("connection: keep-alive\r\n\r\n")
        } else {
            loop.lines.put("\r\n")
        }
        output.writeBytes(loop.lines.bytes)
        hasUnflushedWrites = true
        if !isWritable { startLimit(.write) }
    }

    private func writeLength(_ length: Int) {
        loop.lines.put("content-length: ")
        loop.lines.put(number: length)
        loop.lines.put("\r\n")
    }

    override func startTunnel() {
        guard response == .streaming, ending != .closed else { return }
        request = .tunnel
        closeAfterResponse()
        frames = WebSocketFrames()
        process()
        if loop.isDraining { endTunnel() }
    }

    override func endEarly() {
        if request == .tunnel { endTunnel() } else { super.endEarly() }
    }

    /// Ends a tunnel once the last frame is complete; a WebSocket gets a close frame (going away) first.
    private func endTunnel() {
        endsTunnel = true
        guard request == .tunnel, !tunnelsWebSocket || frames.isAtBoundary else { return }
        let delegate = self.delegate
        self.delegate = nil
        if tunnelsWebSocket, !frames.sawClose { output.writeImmutableBuffer(WebSocketFrames.goingAway) }
        mustLinger = true
        delegate?.exchangeClosed(self)
        sendEnd()
    }

    override func sendBody(_ bytes: ByteBuffer) {
        let count = bytes.readableBytes
        guard response == .streaming, count > 0, ending != .closed else { return }
        defer {
            if request == .tunnel {
                if tunnelsWebSocket { frames.consume(bytes) }
                if endsTunnel { endTunnel() }
            }
        }
        if let rest = promised {
            // More than was announced would be read as the next response.
            guard count <= rest else { return abort() }
            promised = rest - count
        }
        sentBodyBytes += count
        prepareOutput()
        if isChunked {
            output.writeHexadecimal(count)
            output.writeStaticString("\r\n")
        }
        if count <= Self.coalesceLimit {
            output.writeImmutableBuffer(bytes)
        } else {
            writeOutput()
            context?.write(wrapOutboundOut(bytes), promise: nil)
            hasLargeWrites = true
        }
        if isChunked { output.writeStaticString("\r\n") }
        hasUnflushedWrites = true
        if output.readableBytes > 64 * 1024 { writeOutput() }
    }

    private func writeOutput() {
        guard output.readableBytes > 0 else { return }
        // It is the channel's now. Cleared, it would be copied, and kept while the connection is idle.
        var written = ByteBuffer()
        swap(&written, &output)
        context?.write(wrapOutboundOut(written), promise: nil)
        hasUnflushedWrites = true
    }

    @inline(__always)
    private func prepareOutput() {
        if output.capacity == 0 { output = loop.takeBuffer() }
    }

    override func flush() {
        // The memory of large parts is soon used again if they are sent at once; those of all connections together fit no cache.
        if hasLargeWrites { return send() }
        guard output.readableBytes > 0 || hasUnflushedWrites, !isSendDeferred else { return }
        isSendDeferred = true
        sends.add(self)
    }

    override func flushHead() {
        guard !isSendDeferred, !isSendHeld else { return }
        isSendHeld = true
        sends.hold(self)
    }

    func sendDeferred() {
        isSendDeferred = false
        isSendHeld = false
        send()
    }

    private func send() {
        guard output.readableBytes > 0 || hasUnflushedWrites, context != nil else { return }
        hasUnflushedWrites = false
        hasLargeWrites = false
        guard output.readableBytes > 0 else { return context?.flush() ?? () }
        let sent = isDirect ? socket?.send(output) ?? 0 : 0
        if sent == output.readableBytes { return loop.giveBack(&output) }
        // It is the channel's now. A channel that writes tells us, and we may have more to say.
        var rest = ByteBuffer()
        swap(&rest, &output)
        rest.moveReaderIndex(forwardBy: sent)
        context?.writeAndFlush(wrapOutboundOut(rest), promise: nil)
    }

    override func sendEnd(trailers: ByteBuffer?) {
        guard response == .streaming, ending != .closed else { return }
        if let rest = promised, rest > 0 { return abort() }
        if isChunked {
            output.writeStaticString("0\r\n")
            if let trailers { output.writeImmutableBuffer(trailers) }
            output.writeStaticString("\r\n")
        }
        hasUnflushedWrites = true
        response = .none
        delegate = nil
        handler.finished(self)
        if ending == .afterResponse || isInputClosed { return finish() }
        head.recycle(into: &parser)
        request = .head
        if inbox.readableBytes == 0 { startLimit(.idle) }
        process()
    }

    /// Closes after the last response: at once when everything was read, else after a while in which the client can
    /// read the answer before a reset takes it away (RFC 9112 section 9.6).
    private func finish() {
        guard let context, !isFinishing else { return }
        isFinishing = true
        let lingers = !isInputClosed && (mustLinger || request != .complete || inbox.readableBytes > 0 || parser.isInHead)
        startLimit(.write)
        // A close would throw away what the socket has not taken yet.
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in bound.value.outputDrained(lingers: lingers) }
        context.writeAndFlush(wrapOutboundOut(output), promise: written)
        output.clear()
        hasUnflushedWrites = false
    }

    private func outputDrained(lingers: Bool) {
        guard let context, ending != .closed else { return }
        guard lingers, !isInputClosed else {
            ending = .closed
            return context.close(promise: nil)
        }
        ending = .lingering
        isFinishing = false
        inbox.clear()
        startLimit(.linger)
        context.close(mode: .output, promise: nil)
        releaseRead()
    }

    override func abort() {
        // The framing shows the truncation, so the client gets what was received, then a FIN.
        guard response == .streaming, isChunked || promised != nil, ending != .closed, context != nil else { return terminate() }
        wasAborted = true
        mustLinger = mustLinger || request != .complete
        request = .complete
        response = .none
        let delegate = self.delegate
        self.delegate = nil
        delegate?.exchangeClosed(self)
        handler.finished(self)
        closeAfterResponse()
        finish()
    }

    func terminate() {
        guard ending != .closed, let context else { return }
        wasAborted = true
        output.clear()
        if response == .streaming {
            // A close alone would look like the end of a body that is delimited by it; under TLS it would even say so.
            context.channel.resetOnClose()
            if tls != nil { return TLSHandshake.closeBeneath(context) }
        }
        close()
    }

    private func close() {
        // An answer that waits for the end of the turn is not lost.
        if isSendDeferred || isSendHeld { send() }
        guard let context else { return }
        context.close(promise: nil)
    }

    // MARK: Limits

    private func startLimit(_ kind: Limit) {
        limit = kind
        let milliseconds: Int64 =
            switch kind {
            case .idle: settings.idleTimeout
            case .body: progress.begin(at: wheel.now, bodyProgressLimits)
            case .write: idleLimit > 0 ? idleLimit : settings.idleTimeout
            case .head: settings.headerTimeout
            case .linger: 2_000
            }
        wheel.set(deadline, milliseconds: milliseconds)
    }

    /// The rate is asked for only while an answer waits for the body: after that it may be a conversation.
    private var bodyProgressLimits: BodyProgress.Limits {
        .init(
            idle: idleLimit > 0 ? idleLimit : settings.idleTimeout, rate: response == .pending ? leastBodyRate(settings.bodyRate) : 0,
            window: settings.rateWindow)
    }

    func deadlineExpired() {
        switch limit {
        case .idle, .linger:
            ending = .closed
            close()
        case .head:
            beginRefusal()
            handler.refuseLate(self)
        case .body:
            if let more = progress.nextLimit(at: wheel.now, bodyProgressLimits) { return wheel.set(deadline, milliseconds: more) }
            guard response == .pending else { return abort() }
            let delegate = self.delegate
            self.delegate = nil
            delegate?.exchangeClosed(self)
            beginRefusal()
            handler.refuseLate(self)
        case .write:
            // The client does not read.
            terminate()
        }
    }

    var idleness: Idleness? { idleSince.map { Idleness(since: $0, isUsed: ticket > 0) } }

    private var idleSince: UInt64? {
        guard request == .head, response == .none, ending == .no, !isFinishing else { return nil }
        switch limit {
        case .idle: return deadline.start(milliseconds: settings.idleTimeout)
        // The head of a request has begun, and does not end.
        case .head: return deadline.start(milliseconds: settings.headerTimeout)
        case .body, .write, .linger: return nil
        }
    }

    func closeIdle() {
        guard let context else { return }
        ending = .closed
        TLSHandshake.closeAtOnce(context)
    }

    /// No further request is taken; an idle connection closes at once.
    func drain() {
        if request == .head && response == .none {
            if inbox.readableBytes == 0, !isFinishing { close() }
        } else if request == .tunnel {
            endTunnel()
        } else {
            closeAfterResponse()
        }
    }
}
