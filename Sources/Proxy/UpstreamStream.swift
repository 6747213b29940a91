import Decisions
import Exchanges
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The handler of one stream of an HTTP/2 connection to an upstream, and the delegate of the exchange that it serves.
///
/// `HTTP2ClientMachine` decides; this type passes it the frames and the exchange's calls, and does what it returns. A response that breaks a
/// rule ends its own stream: 502 before the head was forwarded, a visible abort afterwards. The stream is reset when the client leaves. Flow
/// control goes through: what the client does not take is not read, what the upstream does not take is not asked for.
final class UpstreamStream: ChannelDuplexHandler, DeadlineOwner, ExchangeDelegate {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// Parts of a body are collected up to here.
    private static let coalesceLimit = 16 * 1024

    private let session: UpstreamSession
    private let deadline = Deadline()
    private var context: ChannelHandlerContext?
    private var machine = HTTP2ClientMachine()
    private let request: ForwardedRequest
    private var exchange: Exchange?
    private let observer: any ForwardObserver
    /// A part of the body that may turn out to be the last.
    private var held: ByteBuffer?

    init(_ request: ForwardedRequest, _ exchange: Exchange, _ observer: any ForwardObserver, session: UpstreamSession) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        self.session = session
        deadline.owner = self
        pool.inFlight += 1
        exchange.delegate = self
    }

    private var pool: UpstreamPool { session.pool }

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
        guard let exchange else { return machine.isClosed ? () : close() }
        let beginning = machine.begin(request.framing, reads: session.readCount)
        if case .drop = beginning { return }
        let fields = HTTP2Translation.fields(of: request, scheme: pool.target.scheme)
        let isWhole = beginning == .head
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: fields, endStream: isWhole))), promise: nil)
        if isWhole {
            // The write may have closed the stream.
            if machine.isServing { setDeadline() }
            return
        }
        request.startBody(of: exchange, on: self, isReused: session.isReused)
        flush()
    }

    /// There is no stream for the request.
    func failedToOpen() {
        leave()
        fail(.closedEarly, "", .unprocessed)
    }

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        guard machine.isServing else { return }
        request.keep(body)
        if var held, held.readableBytes + body.readableBytes <= Self.coalesceLimit {
            self.held = nil
            held.writeImmutableBuffer(body)
            self.held = held
        } else {
            writeHeld(isLast: false)
            held = body
        }
        execute(machine.sentPart())
    }

    func exchangeReadComplete(_ exchange: Exchange) {
        writeHeld(isLast: false)
        flush()
    }

    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        guard machine.endRequest() else { return }
        request.keepEnd(trailers: trailers)
        if let trailers, let kept = request.trailers?.kept(of: trailers) {
            writeHeld(isLast: false)
            let fields = HTTP2Translation.fields(ofTrailers: kept.lines)
            write(.headers(.init(headers: fields, endStream: true)))
        } else {
            writeHeld(isLast: true)
        }
        flush()
        execute(machine.wroteEnd())
    }

    private func writeHeld(isLast: Bool) {
        guard !machine.isClosed, held != nil || isLast else { return }
        write(.data(.init(data: .byteBuffer(held.take() ?? ByteBuffer()), endStream: isLast)))
    }

    private func write(_ payload: HTTP2Frame.FramePayload) {
        context?.write(wrapOutboundOut(payload), promise: nil)
        machine.wrote()
    }

    private func flush() { if machine.flush() { context?.flush() } }

    // MARK: The client's side

    func exchange(_ exchange: Exchange, failed error: WireError) { abandon() }
    func exchangeClosed(_ exchange: Exchange) { abandon() }

    /// Ends the stream with RST_STREAM after the client has disconnected.
    private func abandon() {
        detach()
        close()
    }

    func exchange(_ exchange: Exchange, isWritable: Bool) { execute(machine.clientChanged(isWritable ? .ready : .full)) }

    private func detach() {
        guard let exchange = self.exchange.take() else { return }
        exchange.delegate = nil
        pool.inFlight -= 1
    }

    // MARK: Channel

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
    }

    private func leave() {
        pool.wheel.cancel(deadline)
        if machine.leave() { session.ended(self) }
    }

    private func close() {
        machine.close()
        pool.wheel.cancel(deadline)
        context?.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) { if machine.mayRead() { context.read() } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        execute(machine.outputChanged(isWritable: context.channel.isWritable))
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

    func channelReadComplete(context: ChannelHandlerContext) { if machine.takeDelivery() { exchange?.flush() } }

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
        leave()
        context.fireChannelInactive()
    }

    // MARK: Response

    private func receive(_ fields: HPACKHeaders, isLast: Bool) throws(WireError) {
        switch try machine.receiveFields(isLast: isLast) {
        case .drop: break
        case .trailers: try end(trailers: try HTTP2Translation.trailers(of: fields, limits: pool.settings.headLimits))
        case .head:
            guard let exchange else { return }
            request.dropReplay()
            let head = try HTTP2Translation.head(of: fields, method: request.method, limits: pool.settings.headLimits)
            if head.isInterim { return try receiveInterim(head, exchange, isLast: isLast) }
            try begin(head, exchange, isLast: isLast)
        }
    }

    private func receiveInterim(_ head: ResponseHead, _ exchange: Exchange, isLast: Bool) throws(WireError) {
        try machine.receiveInterim(isLast: isLast, most: pool.settings.interimResponses)
        // The gateway answers `Expect` itself.
        guard head.status != 100 else { return }
        request.sendInterim(head, on: exchange)
        machine.sentInterim(ClientState(exchange))
    }

    private func begin(_ head: ResponseHead, _ exchange: Exchange, isLast: Bool) throws(WireError) {
        let framing = try machine.checkedFraming(request.framing(of: head), isLast: isLast)
        pool.noteSuccess()
        if request.begin(head, framing: framing, on: exchange) { observer.forward(exchange, opened: .eventStream) }
        switch machine.beginResponse(framing, isLast: isLast, ClientState(exchange)) {
        case .drop: break
        case .body(let actions): execute(actions)
        case .whole: try end(trailers: nil)
        }
    }

    private func receive(_ bytes: ByteBuffer, isLast: Bool) throws(WireError) {
        switch try machine.receive(bytes.readableBytes) {
        case .drop: return
        case .close: return close()
        case .take: break
        }
        if bytes.readableBytes > 0, let exchange {
            exchange.sendBody(bytes)
            execute(machine.sentOn())
        }
        if isLast { try end(trailers: nil) }
    }

    /// The response is complete.
    private func end(trailers: ByteBuffer?) throws(WireError) {
        guard let exchange else { return }
        let closes = try machine.end()
        let kept = request.kept(trailers)
        detach()
        pool.wheel.cancel(deadline)
        if closes { context?.close(promise: nil) }
        exchange.sendEnd(trailers: kept)
        exchange.flush()
    }

    // MARK: Ends

    private func fail(_ reason: UpstreamFailure, _ detail: String, _ progress: RetryPolicy.Progress) {
        let failure = machine.fail(progress)
        guard let exchange else { return close() }
        let pool = self.pool
        detach()
        close()
        switch failure {
        case .none: break
        case .cutOff: pool.cutOff(exchange, observer: observer, reason, detail)
        case .unanswered(let progress):
            pool.failed(request, of: exchange, observer: observer, reason, detail, progress, hasBodyBegun: machine.hasBodyBegun)
        }
    }

    func deadlineExpired() {
        switch machine.deadlineExpired(reads: session.readCount) {
        case .nothing: break
        case .response(let isSilent):
            if isSilent { session.retire() }
            fail(.responseTimeout, "", .answered)
        case .body(let isSilent):
            if isSilent { session.retire() }
            fail(.idleTimeout, "no byte for \(UpstreamLimit.body.milliseconds(request, pool.settings)) ms", .answered)
        }
    }

    // MARK: Actions

    private func execute(_ actions: HTTP2ClientActions) {
        if actions.isEmpty { return }
        if actions.contains(.setDeadline) { setDeadline() }
        if actions.contains(.clearDeadline) { pool.wheel.clear(deadline) }
        if actions.contains(.resumeReading) { context?.read() }
        if actions.contains(.reportWritability), let context { exchange?.pauseBody(!context.channel.isWritable) }
    }

    private func setDeadline() { pool.wheel.set(deadline, milliseconds: machine.limit.milliseconds(request, pool.settings)) }
}
