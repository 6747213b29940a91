import Decisions
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2
import Exchanges

/// One stream of an HTTP/2 connection to an upstream, and the delegate of the exchange that it serves.
///
/// A response that breaks a rule ends its own stream: 502 before the head was forwarded, a visible abort afterwards. The stream is
/// reset when the client leaves. Flow control goes through: what the client does not take is not read, what the upstream does
/// not take is not asked for.
final class UpstreamStream: ChannelDuplexHandler, DeadlineOwner, ExchangeDelegate {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum State { case waiting, head, body, closed }

    private let session: UpstreamSession
    private var pool: UpstreamPool { session.pool }
    private var responseTimeout: Int64 { request.responseTimeout > 0 ? request.responseTimeout : pool.settings.responseTimeout }
    private var idleTimeout: Int64 { request.idleTimeout > 0 ? request.idleTimeout : pool.settings.idleTimeout }
    private let deadline = Deadline()
    private var context: ChannelHandlerContext?
    private var state = State.waiting
    private var request: ForwardedRequest
    private var exchange: Exchange?
    private let observer: any ForwardObserver

    private var isRequestSent = false
    private var hasBodyBegun = false
    /// A part of the body that may turn out to be the last.
    private var held: ByteBuffer?
    private var hasUnflushedWrites = false
    private var interimResponses = 0
    /// The bytes of `Content-Length` that are still missing; nil without one.
    private var promised: Int?
    private var isReadHeld = false
    private var isPaused = false
    private var unflushed: Exchange?
    private var hasLeft = false
    private var readsAtStart: UInt64 = 0

    init(_ request: ForwardedRequest, _ exchange: Exchange, _ observer: any ForwardObserver, session: UpstreamSession) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        self.session = session
        deadline.owner = self
        pool.inFlight += 1
        exchange.delegate = self
    }

    // MARK: Request

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { sendHead(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        sendHead(context)
        context.fireChannelActive()
    }

    private func sendHead(_ context: ChannelHandlerContext) {
        guard state == .waiting else { return }
        guard let exchange else { return close() }
        state = .head
        readsAtStart = session.readCount
        let fields = HTTP2Translation.fields(of: request, scheme: pool.target.scheme)
        let isWhole = request.framing == .none
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: fields, endStream: isWhole))), promise: nil)
        if isWhole {
            isRequestSent = true
            pool.wheel.set(deadline, milliseconds: responseTimeout)
        } else {
            hasBodyBegun = true
            if let replay = request.takeReplay() {
                resend(replay, of: exchange)
            } else {
                // The upstream may be about to close a reused connection.
                if session.isReused { request.keepBody() }
                exchange.startBody(limit: request.bodyLimit)
            }
            flush()
        }
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

    /// There is no stream for the request.
    func failedToOpen() {
        leave()
        fail(.closedEarly, "", .unprocessed)
    }

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        guard state != .closed, state != .waiting else { return }
        request.keep(body)
        if var held, held.readableBytes + body.readableBytes <= 16 * 1024 {
            self.held = nil
            held.writeImmutableBuffer(body)
            self.held = held
        } else {
            writeHeld(isLast: false)
            held = body
        }
        if state == .body, !isPaused { pool.wheel.set(deadline, milliseconds: idleTimeout) }
    }

    func exchangeReadComplete(_ exchange: Exchange) {
        writeHeld(isLast: false)
        flush()
    }

    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        guard state != .closed, !isRequestSent else { return }
        request.keepEnd(trailers: trailers)
        isRequestSent = true
        if let trailers, let kept = request.trailers?.kept(of: trailers) {
            writeHeld(isLast: false)
            let fields = HTTP2Translation.fields(ofTrailers: kept.lines)
            context?.write(wrapOutboundOut(.headers(.init(headers: fields, endStream: true))), promise: nil)
            hasUnflushedWrites = true
        } else {
            writeHeld(isLast: true)
        }
        flush()
        if state == .head { pool.wheel.set(deadline, milliseconds: responseTimeout) }
    }

    private func writeHeld(isLast: Bool) {
        guard state != .closed, held != nil || isLast else { return }
        let bytes = held ?? ByteBuffer()
        held = nil
        context?.write(wrapOutboundOut(.data(.init(data: .byteBuffer(bytes), endStream: isLast))), promise: nil)
        hasUnflushedWrites = true
    }

    private func flush() {
        guard hasUnflushedWrites else { return }
        hasUnflushedWrites = false
        context?.flush()
    }

    func exchange(_ exchange: Exchange, failed error: WireError) { abandon() }
    func exchangeClosed(_ exchange: Exchange) { abandon() }

    /// Ends the stream with RST_STREAM after the client has disconnected.
    private func abandon() {
        detach()
        close()
    }

    func exchange(_ exchange: Exchange, isWritable: Bool) {
        isPaused = !isWritable
        guard state == .body else { return isWritable ? releaseRead() : () }
        if isWritable {
            pool.wheel.set(deadline, milliseconds: idleTimeout)
            releaseRead()
        } else {
            // The client's own limit runs now.
            pool.wheel.clear(deadline)
        }
    }

    private func detach() {
        guard let exchange else { return }
        exchange.delegate = nil
        self.exchange = nil
        pool.inFlight -= 1
    }

    // MARK: Channel

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
    }

    private func leave() {
        pool.wheel.cancel(deadline)
        guard !hasLeft else { return }
        hasLeft = true
        session.ended(self)
    }

    private func close() {
        state = .closed
        pool.wheel.cancel(deadline)
        context?.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        if isPaused && (state == .head || state == .body) { isReadHeld = true } else { context.read() }
    }

    private func releaseRead() {
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard !isRequestSent, state != .waiting, state != .closed else { return }
        let isWritable = context.channel.isWritable
        // An upstream that takes no more of the request is as late as one that does not answer.
        if state == .head {
            if isWritable {
                pool.wheel.clear(deadline)
            } else {
                pool.wheel.set(deadline, milliseconds: responseTimeout)
            }
        }
        exchange?.pauseBody(!isWritable)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(WireError) {
            switch unwrapInboundIn(data) {
            case .headers(let headers): try receive(headers.headers, isLast: headers.endStream)
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { return }
                try receive(bytes, isLast: data.endStream)
            default: break
            }
        } catch {
            fail(.invalidResponse, error.rawValue, .answered)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let exchange = unflushed {
            unflushed = nil
            exchange.flush()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let closed = error as? NIOHTTP2Errors.StreamClosed else {
            return fail(.http2Error, "\(type(of: error))", .answered)
        }
        let isUnprocessed = closed.errorCode == .refusedStream || session.neverLooked(at: closed.streamID)
        fail(.streamReset, "\(closed.errorCode)", isUnprocessed ? .unprocessed : .answered)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        let isUnprocessed = session.neverLooked(at: id)
        // The streams learn of the end of their connection before the session does: nothing may be sent again on it.
        if context.channel.parent?.isActive == false { session.retire() }
        // A reset of the connection counts as its close; any other failure is a protocol error.
        if let failure = session.failure, failure.reason != .closedEarly {
            fail(failure.reason, failure.detail, isUnprocessed ? .unprocessed : .answered)
        } else {
            fail(.closedEarly, WireError.truncated.rawValue, isUnprocessed ? .unprocessed : .keptConnectionClosed)
        }
        state = .closed
        leave()
        context.fireChannelInactive()
    }

    // MARK: Response

    private func receive(_ fields: HPACKHeaders, isLast: Bool) throws(WireError) {
        switch state {
        case .head:
            guard let exchange else { return }
            request.dropReplay()
            let head = try HTTP2Translation.head(of: fields, method: request.method, limits: pool.settings.headLimits)
            if head.isInterim { return try receiveInterim(head, exchange, isLast: isLast) }
            try begin(head, exchange, isLast: isLast)
        case .body:
            // A second header section is the trailers, and the end (RFC 9113 section 8.1).
            guard isLast else { throw .trailersInvalid }
            try end(trailers: try HTTP2Translation.trailers(of: fields, limits: pool.settings.headLimits))
        case .waiting, .closed:
            break
        }
    }

    private func receiveInterim(_ head: ResponseHead, _ exchange: Exchange, isLast: Bool) throws(WireError) {
        interimResponses += 1
        guard !isLast, interimResponses <= pool.settings.interimResponses else { throw .statusLineMalformed }
        // We answer `Expect` ourselves.
        guard head.status != 100 else { return }
        exchange.sendInterim(status: head.status) { ResponseWriter.copyFields(of: head, request.response, into: &$0) }
        isPaused = !exchange.isWritable
    }

    private func begin(_ head: ResponseHead, _ exchange: Exchange, isLast: Bool) throws(WireError) {
        var framing = request.framing(of: head)
        // Nothing may follow, so nothing is waited for (RFC 9110 section 6.4.1).
        var isWhole = isLast
        promised = nil
        switch framing {
        case .none, .lengthOnly: isWhole = true
        case .length(let length):
            promised = length
            if isLast, length > 0 { throw .contentLengthInvalid }
        case .stream:
            // Nothing follows, so its length is known.
            if isLast { framing = .length(0) }
        }
        pool.noteSuccess()
        if request.begin(head, framing: framing, on: exchange) { observer.forward(exchange, opened: .eventStream) }
        unflushed = exchange
        state = .body
        isPaused = !exchange.isWritable
        if isPaused { pool.wheel.clear(deadline) } else { pool.wheel.set(deadline, milliseconds: idleTimeout) }
        if isWhole { try end(trailers: nil) }
    }

    private func receive(_ bytes: ByteBuffer, isLast: Bool) throws(WireError) {
        guard state == .body, let exchange else {
            if state == .head { throw .statusLineMalformed }
            // A body without a request.
            if bytes.readableBytes > 0 { close() }
            return
        }
        if bytes.readableBytes > 0 {
            if let rest = promised {
                guard bytes.readableBytes <= rest else { throw .contentLengthInvalid }
                promised = rest - bytes.readableBytes
            }
            exchange.sendBody(bytes)
            unflushed = exchange
            if !isPaused { pool.wheel.set(deadline, milliseconds: idleTimeout) }
        }
        if isLast { try end(trailers: nil) }
    }

    /// The response is complete.
    private func end(trailers: ByteBuffer?) throws(WireError) {
        if let promised, promised > 0 { throw .contentLengthInvalid }
        guard let exchange else { return }
        let kept = request.kept(trailers)
        detach()
        state = .closed
        pool.wheel.cancel(deadline)
        // What is left of the request is of no use to anyone.
        if !isRequestSent { context?.close(promise: nil) }
        unflushed = nil
        exchange.sendEnd(trailers: kept)
        exchange.flush()
    }

    private func fail(_ reason: UpstreamFailure, _ detail: String, _ progress: RetryPolicy.Progress) {
        guard let exchange, state != .closed else { return close() }
        let hadHead = state == .body
        let pool = self.pool
        detach()
        close()
        if hadHead {
            pool.cutOff(exchange, observer: observer, reason, detail)
        } else {
            // After a byte of an interim answer nothing is repeated.
            let progress = interimResponses > 0 ? .answered : progress
            pool.failed(request, of: exchange, observer: observer, reason, detail, progress, hasBodyBegun: hasBodyBegun)
        }
    }

    func deadlineExpired() {
        guard state == .head || state == .body else { return }
        // No bytes arrived in that time: the connection may be dead.
        if session.readCount == readsAtStart { session.retire() }
        if state == .body {
            fail(.idleTimeout, "no byte for \(idleTimeout) ms", .answered)
        } else {
            fail(.responseTimeout, "", .answered)
        }
    }
}
