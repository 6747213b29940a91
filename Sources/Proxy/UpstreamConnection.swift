import Decisions
import HTTPWire
import NIOCore
import Exchanges
import Transport

/// One HTTP/1.1 connection to an upstream; while it is in use, the delegate of the exchange it serves.
///
/// A connection is used again only when the last response ended exactly where its framing said, the request had been sent
/// whole, and not a byte too many came (RFC 9112 sections 6.3 and 9.3): one client's answer never reaches the next.
final class UpstreamConnection: ChannelDuplexHandler, DeadlineOwner, ExchangeDelegate, DeferredSender, ByteReceiver {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State { case idle, head, body, tunnel, closed }

    private let pool: UpstreamPool
    // The pool's. Through it, references to them would be counted at each call.
    private let wheel: DeadlineWheel
    private let sends: DeferredSends
    private let spareRequests: SpareRequests
    private let deadline = Deadline()
    private var context: ChannelHandlerContext?
    private var state = State.idle
    private var isActive = false
    /// The channel was open once.
    private var isConnected = false
    /// The connection has carried a whole exchange before.
    private var isReused = false
    /// Counts towards the connections that the target may have; nil without a limit.
    var slot: ConnectionSlot?

    private var exchange: Exchange?
    private var observer: (any ForwardObserver)?
    private var request: ForwardedRequest?
    /// The request is its head alone, to be sent from where it is.
    private var isHeadWaiting = false
    /// Nothing of the request has been sent: what the upstream says now is no answer to it.
    private var isUnsent = false
    /// All of the request has been sent, or will be at the end of the turn.
    private var isRequestSent = false
    private var hasResponseBytes = false

    private var parser: ResponseHeadParser
    /// The memory of the head before; nil while it is in use.
    private var spareHead: ResponseHead?
    private var decoder = BodyDecoder(.none)
    private var keepsAlive = false
    private var inbox = ByteBuffer()
    private var output = ByteBuffer()
    private var hasUnflushedWrites = false
    /// Among them are parts of a body that were too large to be copied together.
    private var hasLargeWrites = false
    /// `sendDeferred` will be called.
    private var isSendDeferred = false
    /// Nil for a channel of another kind, as in tests.
    private var socket: SocketChannel?
    /// Nothing stands between this handler and the socket: bytes go past the pipeline, both ways.
    private var isDirect = false
    private var isReadHeld = false
    private var isPaused = false
    /// The exchange got something since its last flush.
    private var hasUnflushed = false
    /// The response's head has come and says that a body follows, of which nothing has come yet.
    private var expectsBody = false

    init(pool: UpstreamPool) {
        self.pool = pool
        wheel = pool.wheel
        sends = pool.sends
        spareRequests = pool.spareRequests
        parser = ResponseHeadParser(limits: pool.settings.headLimits)
        deadline.owner = self
    }

    var remoteAddress: SocketAddress? { context?.channel.remoteAddress }

    // MARK: Use

    private var responseTimeout: Int64 {
        guard let limit = request?.responseTimeout, limit > 0 else { return pool.settings.responseTimeout }
        return limit
    }

    private var idleTimeout: Int64 {
        guard let limit = request?.idleTimeout, limit > 0 else { return pool.settings.idleTimeout }
        return limit
    }

    func start(_ request: consuming ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        pool.inFlight += 1
        state = .head
        isHeadWaiting = false
        isUnsent = true
        isRequestSent = false
        hasResponseBytes = false
        isPaused = false
        exchange.delegate = self
        if isActive {
            send(request, of: exchange)
        } else {
            // The connect has its own limit; this one is for a connect that never says anything.
            wheel.set(deadline, milliseconds: pool.settings.connectTimeout + 1_000)
        }
    }

    private func send(_ request: ForwardedRequest, of exchange: Exchange) {
        if request.framing == .none {
            isRequestSent = true
            isHeadWaiting = true
            wheel.set(deadline, milliseconds: responseTimeout)
        } else {
            output = request.head
            wheel.clear(deadline)
            if let replay = request.takeReplay() {
                resend(replay, of: exchange)
            } else {
                // The upstream may be about to close a reused connection.
                if isReused { request.keepBody() }
                exchange.startBody(limit: request.bodyLimit)
            }
        }
        flushOutput()
    }

    /// Sends the part of the body that was sent on another connection, then lets the rest follow.
    private func resend(_ replay: BodyReplay, of exchange: Exchange) {
        if replay.bytes.readableBytes > 0 { self.exchange(exchange, received: replay.bytes) }
        if replay.isComplete {
            exchangeReceivedEnd(exchange, trailers: replay.trailers)
        } else {
            exchange.pauseBody(false)
        }
    }

    private func writeOutput() {
        guard output.readableBytes > 0, let context else { return }
        context.write(wrapOutboundOut(output), promise: nil)
        output.clear()
        hasUnflushedWrites = true
    }

    private func flushOutput() {
        // As for the answer: see `ByteOutbox.flush`.
        if hasLargeWrites { return sendDeferred() }
        guard !isSendDeferred, isHeadWaiting || output.readableBytes > 0 || hasUnflushedWrites else { return }
        isSendDeferred = true
        sends.add(self)
    }

    func sendDeferred() {
        isSendDeferred = false
        guard state == .head || state == .body || state == .tunnel else { return }
        isUnsent = false
        hasUnflushedWrites = false
        hasLargeWrites = false
        if isHeadWaiting {
            isHeadWaiting = false
            if let request { sendNow(request.head) }
        } else if output.readableBytes > 0 {
            // A channel that writes tells us, when more of the body may come.
            var bytes = ByteBuffer()
            swap(&bytes, &output)
            sendNow(bytes)
        } else {
            context?.flush()
        }
    }

    private func sendNow(_ bytes: ByteBuffer) {
        let sent = isDirect ? socket?.send(bytes) ?? 0 : 0
        guard sent < bytes.readableBytes else { return }
        var rest = bytes
        rest.moveReaderIndex(forwardBy: sent)
        context?.writeAndFlush(wrapOutboundOut(rest), promise: nil)
    }

    /// The channel is connected and this handler is in it.
    func connected() {
        isActive = true
        isConnected = true
        if let request, let exchange { send(request, of: exchange) } else { close() }
    }

    func connectFailed(_ failure: ConnectFailure) {
        slot.take()?.release()
        fail(failure.reason, failure.detail)
    }

    /// The handler is in a channel that is open already.
    func adopt(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        isActive = true
        isConnected = true
        start(request, of: exchange, observer: observer)
    }

    /// The same without a waiting request: the connection becomes idle.
    func adoptIdle() {
        isActive = true
        isConnected = true
        rest()
    }

    /// Returns the connection to the pool, which may have a request for it already.
    private func rest() {
        state = .idle
        wheel.set(deadline, milliseconds: pool.settings.keepAlive)
        if !pool.release(self) { close() }
    }

    func close() {
        if state == .idle { pool.remove(self) }
        // A WebSocket's last frame goes out before the end.
        if state == .tunnel, isSendDeferred { sendDeferred() }
        state = .closed
        wheel.cancel(deadline)
        context?.close(promise: nil)
        // A connection that is still being opened counts.
        if isConnected { slot.take()?.release() }
    }

    // MARK: The client's side

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        guard let request, state != .closed else { return }
        request.keep(body)
        if request.framing == .chunked {
            output.writeHexadecimal(body.readableBytes)
            output.writeStaticString("\r\n")
            append(body)
            output.writeStaticString("\r\n")
        } else {
            append(body)
        }
    }

    /// Small parts are copied together into one write; a large one is written as it is.
    private func append(_ body: ByteBuffer) {
        if body.readableBytes <= 16 * 1024 {
            output.writeImmutableBuffer(body)
        } else {
            writeOutput()
            context?.write(wrapOutboundOut(body), promise: nil)
            hasUnflushedWrites = true
            hasLargeWrites = true
        }
        if output.readableBytes > 64 * 1024 { writeOutput() }
    }

    func exchangeReadComplete(_ exchange: Exchange) { flushOutput() }

    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        guard let request, state != .closed else { return }
        request.keepEnd(trailers: trailers)
        if request.framing == .chunked {
            output.writeStaticString("0\r\n")
            if let trailers, let kept = request.trailers?.kept(of: trailers) {
                output.writeImmutableBuffer(kept.lines)
            }
            output.writeStaticString("\r\n")
        }
        isRequestSent = true
        flushOutput()
        if state == .head { wheel.set(deadline, milliseconds: responseTimeout) }
    }

    func exchange(_ exchange: Exchange, failed error: WireError) {
        detach()
        close()
    }

    func exchangeClosed(_ exchange: Exchange) {
        detach()
        close()
    }

    func exchange(_ exchange: Exchange, isWritable: Bool) {
        isPaused = !isWritable
        guard state == .body else { return isWritable ? releaseRead() : () }
        if isWritable {
            wheel.set(deadline, milliseconds: idleTimeout)
            releaseRead()
        } else {
            // The client's own limit runs now.
            wheel.clear(deadline)
        }
    }

    /// Lets go of the exchange, and tells which it was.
    @discardableResult
    private func detach() -> Exchange? {
        let exchange = self.exchange.take()
        if let exchange {
            exchange.delegate = nil
            pool.inFlight -= 1
        }
        observer = nil
        spareRequests.giveBack(&request)
        request = nil
        hasUnflushed = false
        return exchange
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        socket = context.channel as? SocketChannel
        isDirect = pool.target.isPlain && socket != nil
        if isDirect { socket?.receiver = self }
    }
    func handlerRemoved(context: ChannelHandlerContext) {
        guard self.context === context else { return }
        wheel.cancel(deadline)
        self.context = nil
        socket?.receiver = nil
        socket = nil
        isDirect = false
    }

    func read(context: ChannelHandlerContext) {
        if isPaused && (state == .head || state == .body || state == .tunnel) { return isReadHeld = true }
        if let socket { socket.read0() } else { context.read() }
    }

    private func releaseRead() {
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard !isRequestSent || state == .tunnel else { return }
        let isWritable = context.channel.isWritable
        // An upstream that takes no more of the request is as late as one that does not answer.
        if state == .tunnel {
            // No limit: a side that reads slowly stops the other.
        } else if state == .body {
            wheel.set(deadline, milliseconds: idleTimeout)
        } else if isWritable {
            wheel.clear(deadline)
        } else {
            wheel.set(deadline, milliseconds: responseTimeout)
        }
        exchange?.pauseBody(!isWritable)
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
        flushExchange()
        isReadHeld = isPaused && (state == .head || state == .body || state == .tunnel)
        return !isReadHeld
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is SocketEvent else { return context.fireUserInboundEventTriggered(event) }
        // A tunnel has no limit but its two ends.
        if state == .tunnel { socket?.readToEnd() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isActive = false
        slot.take()?.release()
        switch state {
        case .idle:
            pool.remove(self)
        case .head:
            fail(.closedEarly, WireError.truncated.rawValue)
        case .tunnel:
            end(reusable: false)
        case .body:
            if decoder.endsAtClose { end(reusable: false) } else { fail(.closedEarly, WireError.truncated.rawValue) }
        case .closed:
            break
        }
        state = .closed
        wheel.cancel(deadline)
        expectsBody = false
        flushExchange()
    }

    private func flushExchange() {
        guard hasUnflushed else { return }
        hasUnflushed = false
        if expectsBody { exchange?.flushHead() } else { exchange?.flush() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset is no end of a body that the close delimits.
        if state == .tunnel { end(reusable: false) }
        if state == .head || state == .body { fail(for: error) }
        close()
    }

    // MARK: Response

    private func process() {
        do throws(WireError) {
            // The same until the step that ends it, which is the last.
            guard let exchange else { return processUnused() }
            while try processStep(exchange) {}
        } catch {
            fail(.invalidResponse, error.rawValue)
        }
    }

    private func processUnused() {
        if state == .closed { return inbox.clear() }
        // Unexpected bytes would become the next client's response.
        if inbox.readableBytes > 0 { close() }
    }

    /// True while progress is made.
    private func processStep(_ exchange: Exchange) throws(WireError) -> Bool {
        switch state {
        case .closed, .idle:
            processUnused()
            return false
        case .head:
            guard let request else { return false }
            if inbox.readableBytes > 0 {
                // Unexpected bytes: see `processUnused`.
                guard !isUnsent else {
                    fail(.closedEarly, "")
                    return false
                }
                hasResponseBytes = true
                request.dropReplay()
            }
            var head = spareHead.take() ?? ResponseHead()
            guard try parser.parse(&inbox, method: request.method, into: &head) else {
                spareHead = consume head
                return false
            }
            try receive(head, request, exchange)
            head.recycle(into: &parser)
            spareHead = consume head
            return true
        case .tunnel:
            guard let bytes = inbox.readSlice(length: inbox.readableBytes), bytes.readableBytes > 0 else { return false }
            hasUnflushed = true
            exchange.sendBody(bytes)
            return state == .tunnel
        case .body:
            switch try decoder.next(&inbox) {
            case .data(let bytes):
                expectsBody = false
                exchange.sendBody(bytes)
                hasUnflushed = true
                return true
            case .end:
                end(reusable: true, trailers: decoder.trailers)
                return false
            case .needsMore:
                // Once for all that came.
                if hasUnflushed, !isPaused { wheel.set(deadline, milliseconds: idleTimeout) }
                return false
            }
        }
    }

    private func receive(_ head: ResponseHead, _ request: ForwardedRequest, _ exchange: Exchange) throws(WireError) {
        if head.isInterim {
            if head.status == 101 { return try switchProtocols(head, request, exchange) }
            // We answer `Expect` ourselves.
            if head.status != 100 {
                exchange.sendInterim(status: head.status) { ResponseWriter.copyFields(of: head, request.response, into: &$0) }
                isPaused = !exchange.isWritable
            }
            return
        }
        keepsAlive = head.keepsAlive
        decoder = BodyDecoder(head.framing)
        pool.noteSuccess()
        if request.begin(head, framing: request.framing(of: head), on: exchange) { observer?.forward(exchange, opened: .eventStream) }
        hasUnflushed = true
        if case .length(let length) = head.framing { expectsBody = length > 0 } else { expectsBody = false }
        state = .body
        isPaused = !exchange.isWritable
        if isPaused { wheel.clear(deadline) }
    }

    /// From here on the connection is the two sides' own; what was asked for is all that is allowed (RFC 9110 section 7.8).
    private func switchProtocols(_ head: ResponseHead, _ request: ForwardedRequest, _ exchange: Exchange) throws(WireError) {
        guard let upgrade = request.upgrade, head.has(.upgrade), head.upgrades(to: upgrade) else { throw .statusLineMalformed }
        exchange.sendHead(status: 101, reason: nil, framing: .none, hasDate: head.has(.date)) {
            ResponseWriter.copyFields(of: head, request.response, into: &$0)
            $0.put(upgrade.lines)
        }
        hasUnflushed = true
        state = .tunnel
        wheel.clear(deadline)
        exchange.tunnelsWebSocket = upgrade.isWebSocket
        observer?.forward(exchange, opened: .tunnel)
        exchange.startTunnel()
    }

    /// The response is complete.
    private func end(reusable: Bool, trailers: ByteBuffer? = nil) {
        let kept = trailers.flatMap { request?.kept($0) }
        let isReusable = reusable && keepsAlive && isRequestSent && !isSendDeferred && isActive && inbox.readableBytes == 0
        guard let exchange = detach() else { return }
        if isReusable {
            isReused = true
            isPaused = false
            rest()
        } else {
            close()
        }
        // Last: the next pipelined request may start on this very connection.
        exchange.sendEnd(trailers: kept)
        exchange.flush()
    }

    /// A TLS alert after the handshake says why (RFC 8446 section 4.4.2.4: a client's certificate is judged then); anything else is an
    /// end without one.
    private func fail(for error: any Error) {
        if case .tls(let tls) = pool.target.transport,
            let known = UpstreamTLS.failure(for: error, name: tls.serverName ?? pool.target.label, certificate: nil)
        {
            fail(known.reason, known.detail)
        } else {
            fail(.closedEarly, SystemError.text(error) ?? WireError.truncated.rawValue)
        }
    }

    private func fail(_ failure: UpstreamFailure, _ detail: String) {
        guard let exchange, let observer, let request, state == .head || state == .body else { return close() }
        let hadHead = state == .body
        let wasReused = isReused
        let pool = self.pool
        detach()
        close()
        if hadHead { return pool.cutOff(exchange, observer: observer, failure, detail) }
        let progress: RetryPolicy.Progress
        if !isConnected {
            progress = .opening
            pool.noteFailure(failure, detail)
        } else if isUnsent {
            progress = .unprocessed
        } else if failure != .closedEarly || hasResponseBytes {
            progress = .answered
        } else {
            progress = wasReused ? .keptConnectionClosed : .newConnectionClosed
        }
        pool.failed(
            request, of: exchange, observer: observer, failure, detail, progress,
            hasBodyBegun: isConnected && request.framing != .none)
    }

    func deadlineExpired() {
        switch state {
        case .idle:
            close()
        case .head:
            let limit = isConnected ? pool.settings.responseTimeout : pool.settings.connectTimeout
            fail(isConnected ? .responseTimeout : .connectTimeout, "no \(isConnected ? "response" : "connection") within \(limit) ms")
        case .body:
            fail(.idleTimeout, "no byte for \(idleTimeout) ms")
        case .tunnel, .closed:
            break
        }
    }
}
