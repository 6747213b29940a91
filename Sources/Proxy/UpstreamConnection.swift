import Decisions
import HTTPWire
import NIOCore
import Exchanges
import Transport

/// The handler of one HTTP/1.1 connection to an upstream; while it is in use, the delegate of the exchange it serves.
///
/// `HTTP1ClientMachine` decides; this type passes it the channel's events and the exchange's calls, and does what it returns.
final class UpstreamConnection: ChannelDuplexHandler, DeadlineOwner, ExchangeDelegate, BufferedConnection, ByteReceiver {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let pool: UpstreamPool
    // The pool's. Through it, references to them would be counted at each call.
    let wheel: DeadlineWheel
    let sends: DeferredSends
    private let spareRequests: SpareRequests
    let deadline = Deadline()
    private(set) var channel = ConnectionChannel()
    var machine: HTTP1ClientMachine
    var outbox = ByteOutbox()
    /// Counts towards the connections that the target may have; nil without a limit.
    var slot: ConnectionSlot?

    var exchange: Exchange?
    var observer: (any ForwardObserver)?
    var request: ForwardedRequest?
    var ownership = ConnectionOwnership.shared
    /// The memory of the head before; nil while it is in use.
    private var spareHead: ResponseHead?

    init(pool: UpstreamPool) {
        self.pool = pool
        wheel = pool.wheel
        sends = pool.sends
        spareRequests = pool.spareRequests
        machine = HTTP1ClientMachine(limits: pool.settings.headLimits)
        deadline.owner = self
    }

    var remoteAddress: SocketAddress? { channel.context?.channel.remoteAddress }

    // MARK: Use

    func start(_ request: consuming ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        self.request = request
        self.exchange = exchange
        self.observer = observer
        pool.inFlight += 1
        exchange.delegate = self
        if request.authenticatesConnection || ownership.isAuthenticated { ownership = .authenticated }
        if machine.start() { send(request, of: exchange) } else { setDeadline() }
    }

    private func send(_ request: ForwardedRequest, of exchange: Exchange) {
        if machine.begin(request.framing) {
            outbox.bytes = request.head
            wheel.clear(deadline)
            request.startBody(of: exchange, on: self, isReused: machine.link == .kept)
        } else {
            setDeadline()
        }
        flush()
    }

    /// The channel is connected and this handler is in it.
    func connected() {
        if machine.open(), let request, let exchange { send(request, of: exchange) } else { close() }
    }

    func connectFailed(_ failure: ConnectFailure) {
        slot.take()?.release()
        fail(failure.reason, failure.detail)
    }

    /// The handler is in a channel that is open already.
    func adopt(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        _ = machine.open()
        start(request, of: exchange, observer: observer)
    }

    /// The same without a waiting request: the connection becomes idle.
    func adoptIdle() {
        _ = machine.open()
        machine.rest()
        rest()
    }

    /// Returns the connection to the pool, which may have a request for it already.
    func rest() {
        setDeadline()
        if !pool.release(self) { close() }
    }

    func close() {
        // A WebSocket's last frame goes out before the end.
        if machine.isTunnel, outbox.isSendDue { sendDeferred() }
        if machine.close() {
            leaveOwner()
            pool.connections.remove(self)
        }
        wheel.cancel(deadline)
        channel.context?.close(promise: nil)
        // A connection that is still being opened counts.
        if machine.wasOpened { slot.take()?.release() }
    }

    private func execute(_ actions: HTTP1ClientActions) {
        if actions.isEmpty { return }
        if actions.contains(.setDeadline) { setDeadline() }
        if actions.contains(.clearDeadline) { wheel.clear(deadline) }
        if actions.contains(.resumeReading) { channel.context?.read() }
    }

    // MARK: Sending

    private func flush() { execute(outbox.flush(hasMore: machine.isHeadWaiting)) }

    func sendDeferred() {
        outbox.endSchedule()
        send()
    }

    func send() {
        switch machine.send() {
        case .nothing: break
        case .head: if let request { sendNow(request.head) }
        case .bytes:
            outbox.noteFlushed()
            // A channel that writes tells us, when more of the body may come.
            if outbox.isEmpty { channel.flush() } else { sendNow(outbox.take()) }
        }
    }

    private func sendNow(_ bytes: ByteBuffer) {
        let sent = channel.direct?.send(bytes) ?? 0
        guard sent < bytes.readableBytes else { return }
        var rest = bytes
        rest.moveReaderIndex(forwardBy: sent)
        channel.writeAndFlush(rest)
    }

    // MARK: The client's side

    func exchange(_ exchange: Exchange, received body: ByteBuffer) {
        let part = machine.sendPart(body.readableBytes)
        guard part != .drop else { return }
        request?.keep(body)
        if part == .chunk {
            outbox.bytes.writeHexadecimal(body.readableBytes)
            outbox.bytes.writeStaticString("\r\n")
        }
        put(body)
        if part == .chunk { outbox.bytes.writeStaticString("\r\n") }
        if outbox.isLarge { handOver() }
    }

    func exchangeReadComplete(_ exchange: Exchange) { flush() }

    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) {
        let end = machine.endRequest(hasUnsent: outbox.hasUnsent)
        guard end != .drop else { return }
        request?.keepEnd(trailers: trailers)
        if end == .lastChunk {
            outbox.bytes.writeStaticString("0\r\n")
            if let trailers, let kept = request?.trailers?.kept(of: trailers) { outbox.bytes.writeImmutableBuffer(kept.lines) }
            outbox.bytes.writeStaticString("\r\n")
        }
        flush()
        if machine.awaitsHead { setDeadline() }
    }

    func exchange(_ exchange: Exchange, failed error: WireError) {
        detach()
        close()
    }

    func exchangeClosed(_ exchange: Exchange) {
        detach()
        close()
    }

    func exchange(_ exchange: Exchange, isWritable: Bool) { execute(machine.clientChanged(isWritable ? .ready : .full)) }

    /// Lets go of the exchange, and tells which it was.
    @discardableResult
    func detach() -> Exchange? {
        let exchange = self.exchange.take()
        if let exchange {
            exchange.delegate = nil
            pool.inFlight -= 1
        }
        observer = nil
        spareRequests.giveBack(&request)
        request = nil
        return exchange
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { channel.attach(context, receiver: pool.target.isPlain ? self : nil) }

    func handlerRemoved(context: ChannelHandlerContext) {
        guard channel.context === context else { return }
        wheel.cancel(deadline)
        channel.detach()
    }

    func read(context: ChannelHandlerContext) { if machine.mayRead() { channel.read(context) } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        let actions = machine.outputChanged(isWritable: isWritable)
        execute(actions)
        if actions.contains(.reportWritability) { exchange?.pauseBody(!isWritable) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received(&bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) { if receivedAll() { channel.readOn() } }

    func received(_ bytes: inout ByteBuffer) {
        machine.inbox.take(&bytes)
        process()
        // The next read can use its memory again.
        machine.inbox.giveBack(to: &bytes)
    }

    func receivedAll() -> Bool {
        switch machine.takeDelivery() {
        case .nothing: break
        case .head: exchange?.flushHead()
        case .bytes: exchange?.flush()
        }
        return machine.mayRead()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is SocketEvent else { return context.fireUserInboundEventTriggered(event) }
        // A tunnel has no limit but its two ends.
        if machine.isTunnel { channel.readToEnd() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        slot.take()?.release()
        switch machine.inputEnded() {
        case .nothing: break
        case .unused: close()
        case .complete: end()
        case .truncated: fail(.closedEarly, WireError.truncated.rawValue)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset is no end of a body that the close delimits.
        if machine.isTunnel { end() } else if machine.isServing { fail(for: error) }
        close()
    }

    // MARK: Response

    private func process() {
        do throws(WireError) {
            // The same until the step that ends it, which is the last.
            guard let exchange else { return machine.takesUnexpected() ? close() : () }
            while try processStep(exchange) {}
        } catch {
            fail(.invalidResponse, error.rawValue)
        }
    }

    /// True while progress is made.
    private func processStep(_ exchange: Exchange) throws(WireError) -> Bool {
        switch try machine.next() {
        case .wait: return false
        case .waitForBody: setDeadline()
        case .head: return try receiveHead(exchange)
        case .part(let bytes):
            exchange.sendBody(bytes)
            return true
        case .end: end(trailers: machine.trailers)
        case .unexpected: fail(.closedEarly, "")
        }
        return false
    }

    private func receiveHead(_ exchange: Exchange) throws(WireError) -> Bool {
        guard let request else { return false }
        request.dropReplay()
        var head = spareHead.take() ?? ResponseHead()
        guard try machine.parseHead(&head, method: request.method) else {
            spareHead = consume head
            return false
        }
        if !head.isInterim {
            begin(head, request, exchange)
        } else if head.status == 101 {
            try switchProtocols(head, request, exchange)
        } else if head.status != 100 {
            // The gateway answers `Expect` itself.
            request.sendInterim(head, on: exchange)
            machine.interim(ClientState(exchange))
        }
        machine.recycle(&head)
        spareHead = consume head
        return true
    }

    private func begin(_ head: ResponseHead, _ request: ForwardedRequest, _ exchange: Exchange) {
        pool.noteSuccess()
        if head.authenticatesConnection { ownership = .authenticated }
        if request.begin(head, framing: request.framing(of: head), on: exchange) { observer?.forward(exchange, opened: .eventStream) }
        execute(machine.beginResponse(head.framing, keepsAlive: head.keepsAlive, ClientState(exchange)))
    }

    /// From here on the connection is the two sides' own; what was asked for is all that is allowed (RFC 9110 section 7.8).
    private func switchProtocols(_ head: ResponseHead, _ request: ForwardedRequest, _ exchange: Exchange) throws(WireError) {
        guard let upgrade = request.upgrade, head.has(.upgrade), head.upgrades(to: upgrade) else { throw .statusLineMalformed }
        exchange.sendHead(status: 101, reason: nil, framing: .none, hasDate: head.has(.date)) {
            ResponseWriter.copyFields(of: head, request.response, into: &$0)
            $0.put(upgrade.lines)
        }
        execute(machine.switchProtocols())
        exchange.tunnelsWebSocket = upgrade.isWebSocket
        observer?.forward(exchange, opened: .tunnel)
        exchange.startTunnel()
    }
}
