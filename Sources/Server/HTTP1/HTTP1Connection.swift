import Exchanges
import HTTPWire
import NIOCore
import Transport

/// The handler of an HTTP/1.1 connection: requests one after another, each an exchange.
///
/// `HTTP1ServerMachine` decides; this type passes it the channel's events and the exchange's calls, and does what it returns.
final class HTTP1Connection: Exchange, ChannelDuplexHandler, DeadlineOwner, ServedConnection, BufferedConnection, ByteReceiver {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let handler: any RequestHandler
    let settings: ServerSettings
    let loop: ServerLoop
    // The loop's. Through it, references to them would be counted at each call.
    let wheel: DeadlineWheel
    let sends: DeferredSends
    let deadline = Deadline()
    private(set) var channel = ConnectionChannel()
    var machine: HTTP1ServerMachine
    var outbox = ByteOutbox()
    /// Set once the client has sent a FIN during an exchange.
    private var halfCloseWatch: HalfCloseWatch?

    init(
        channel: any Channel, peer: PeerAddress, handler: any RequestHandler, settings: ServerSettings, loop: ServerLoop,
        tls: TLSIdentity? = nil
    ) {
        self.handler = handler
        self.settings = settings
        self.loop = loop
        wheel = loop.wheel
        sends = loop.sends
        machine = HTTP1ServerMachine(limits: settings.headLimits)
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
        channel.attach(context, receiver: tls == nil ? self : nil)
        machine.output = context.channel.isWritable ? .writable : .full
        loop.connections.insert(self)
        // Added after a handshake, or once the first bytes said which version it is.
        if context.channel.isActive { execute(machine.open()) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        wheel.cancel(deadline)
        halfCloseWatch?.cancel()
        loop.connections.remove(self)
        channel.detach()
        endBound()
    }

    func channelActive(context: ChannelHandlerContext) {
        execute(machine.open())
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received(&bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if receivedAll() { channel.readOn() }
    }

    func received(_ bytes: inout ByteBuffer) {
        guard machine.receive(&bytes) else { return }
        process()
        machine.inbox.giveBack(to: &bytes)
    }

    func receivedAll() -> Bool {
        flush()
        return machine.mayRead()
    }

    func read(context: ChannelHandlerContext) {
        if machine.mayRead() { channel.read(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        execute(machine.outputChanged(context.channel.isWritable ? .writable : .full))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            execute(machine.inputEnded())
            watchHalfClose()
        } else if event is SocketEvent {
            if machine.isTunnel { channel.readToEnd() } else { watchHalfClose() }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func watchHalfClose() {
        guard halfCloseWatch == nil, machine.isAnswering, !machine.isTunnel, !machine.isClosed else { return }
        halfCloseWatch = HalfCloseWatch(self, wheel)
    }

    /// Whether a response is being prepared or sent.
    var isAnswering: Bool { machine.isAnswering }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the client and its like: nothing more can be said to it.
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if machine.close() {
            record.wasAborted = true
            reportClosed()
            handler.finished(self)
        }
        wheel.cancel(deadline)
        halfCloseWatch?.cancel()
        halfCloseWatch = nil
        loop.connections.remove(self)
        connectionState = nil
        endBound()
        context.fireChannelInactive()
    }

    // MARK: Reading

    func process() {
        guard machine.beginBurst() else { return }
        while machine.awaitsHead ? processHead() : processBytes() {}
        if machine.endBurst() { delegate?.exchangeReadComplete(self) }
    }

    /// True while progress is made.
    private func processHead() -> Bool {
        switch machine.nextHead(&head) {
        case .wait(let actions):
            if !actions.isEmpty { execute(actions) }
            return false
        case .begin:
            beginExchange()
            wheel.clear(deadline)
            handler.handle(self)
        case .refuse(let error, let resemblesBrowser):
            head = RequestHead()
            beginExchange()
            handler.refuse(self, error, resemblesBrowser: resemblesBrowser)
        }
        return true
    }

    private func processBytes() -> Bool {
        switch machine.nextBytes(at: wheel.now) {
        case .wait(let actions):
            if !actions.isEmpty { execute(actions) }
            return false
        case .part(let bytes):
            record.receivedBodyBytes += bytes.readableBytes
            delegate?.exchange(self, received: bytes)
        case .end(let trailers, let actions):
            execute(actions)
            delegate?.exchangeReceivedEnd(self, trailers: trailers)
        case .failed(let error, let received):
            record.receivedBodyBytes = received
            let delegate = self.delegate.take()
            delegate?.exchange(self, failed: error)
            if machine.refusesBody() { handler.refuse(self, error, resemblesBrowser: false) } else { abort() }
        case .truncated:
            reportClosed()
            abort()
        }
        return true
    }

    func beginExchange() {
        ticket &+= 1
        status = 0
        record.sentBodyBytes = 0
        record.receivedBodyBytes = 0
        record.wasAborted = false
        idleLimit = 0
        bodyRate = nil
        tunnelsWebSocket = true
        record.startedAt = eventLoop.now
    }

    // MARK: Exchange

    override var isWritable: Bool { channel.context != nil && machine.output == .writable }

    override func startBody(limit: Int?) {
        execute(machine.startBody(limit: limit, expectsContinue: head.expectsContinue, at: wheel.now))
    }

    override func pauseBody(_ isPaused: Bool) { execute(machine.pause(isPaused, at: wheel.now)) }

    override func closeAfterResponse() { machine.closeAfterResponse() }

    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {
        guard machine.maySendHead, head.minorVersion == 1 else { return }
        prepareOutput()
        loop.lines.removeAll()
        StatusLine.write(status: status, reason: nil, into: &loop.lines)
        lines(&loop.lines)
        loop.lines.put("\r\n")
        loop.lines.write(to: &outbox.bytes)
        flush()
    }

    override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) {
        guard machine.maySendHead else { return }
        prepareOutput()
        self.status = status
        record.respondedAt = eventLoop.now
        loop.lines.removeAll()
        StatusLine.write(status: status, reason: reason, into: &loop.lines)
        lines(&loop.lines)
        if !hasDate { loop.lines.put(loop.dateLine()) }
        let context = HTTP1ServerMachine.HeadContext(
            isSwitching: status == 101, minorVersion: head.minorVersion, keepsAlive: head.keepsAlive, isDraining: loop.isDraining)
        let actions = machine.beginResponse(framing, context, into: &loop.lines)
        loop.lines.write(to: &outbox.bytes)
        if !actions.isEmpty { execute(actions) }
    }

    override func startTunnel() {
        execute(machine.startTunnel(isWebSocket: tunnelsWebSocket))
        if loop.isDraining { execute(machine.endTunnel()) }
    }

    override func endEarly() {
        if machine.isTunnel { execute(machine.endTunnel()) } else { super.endEarly() }
    }

    override func sendBody(_ bytes: ByteBuffer) {
        let count = bytes.readableBytes
        let part = machine.sendPart(count)
        switch part {
        case .drop: return
        case .abort: return abort()
        case .plain, .chunk: break
        }
        record.sentBodyBytes += count
        prepareOutput()
        if part == .chunk {
            outbox.bytes.writeHexadecimal(count)
            outbox.bytes.writeStaticString("\r\n")
        }
        put(bytes)
        if part == .chunk { outbox.bytes.writeStaticString("\r\n") }
        if outbox.isLarge { handOver() }
        if machine.isTunnel { execute(machine.tunnelSent(bytes)) }
    }

    @inline(__always)
    private func prepareOutput() {
        if outbox.bytes.capacity == 0 { outbox.bytes = loop.takeBuffer() }
    }

    override func sendEnd(trailers: ByteBuffer?) {
        switch machine.endResponse() {
        case .drop: return
        case .abort: return abort()
        case .plain: break
        case .lastChunk:
            outbox.bytes.writeStaticString("0\r\n")
            if let trailers { outbox.bytes.writeImmutableBuffer(trailers) }
            outbox.bytes.writeStaticString("\r\n")
        }
        delegate = nil
        handler.finished(self)
        switch machine.next(after: &head) {
        case .finish: return execute(machine.finish())
        case .idle: wheel.set(deadline, milliseconds: settings.idleTimeout)
        case .request: process()
        }
    }

    override func abort() { if channel.context != nil { execute(machine.abort()) } }

    // MARK: Sending

    override func flush() { execute(outbox.flush()) }

    override func flushHead() { execute(outbox.flushHead()) }

    func sendDeferred() {
        outbox.endSchedule()
        send()
    }

    func send() {
        guard outbox.hasUnsent, channel.context != nil else { return }
        outbox.noteFlushed()
        guard !outbox.isEmpty else { return channel.flush() }
        // Taken out: a reference would be counted for a look at them in their place.
        var bytes = outbox.take(leaving: loop.nothing)
        let sent = channel.direct?.send(bytes) ?? 0
        if sent == bytes.readableBytes { return loop.giveBack(consume bytes) }
        // A channel that writes tells us, and we may have more to say.
        bytes.moveReaderIndex(forwardBy: sent)
        channel.writeAndFlush(bytes)
    }
}
