import Exchanges
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One HTTP/2 connection: its streams, its flow control, its end.
///
/// Frames are decoded and the states of streams are kept by `NIOHTTP2Handler` below; each request is a `HTTP2Stream`.
final class HTTP2Connection: ChannelInboundHandler, ServedConnection, DeferredSender, DeadlineOwner, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private enum Limit { case preface, head, idle, goAway, linger }
    /// The progress of the graceful close: GOAWAY without a limit first, then with the last stream.
    private enum Draining { case no, announced, final }

    let eventLoop: any EventLoop
    let peer: PeerAddress
    let tls: TLSIdentity?
    let handler: any RequestHandler
    let settings: ServerSettings
    let loop: ServerLoop
    private let deadline = Deadline()
    private var limit = Limit.preface
    private var context: ChannelHandlerContext?
    private var meter: HTTP2FrameMeter?

    private var parser: RequestHeadParser
    private var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// The handler's state of the connection, kept from a closed stream.
    private var spareState: AnyObject?
    /// Streams that got parts of a body since the last flush.
    private var touched: [HTTP2Stream] = []
    private var lastStreamID = HTTP2StreamID.rootStream
    private var draining = Draining.no
    private(set) var isEnding = false
    private var isClosed = false
    private var isReading = false
    /// A flush is due when the loop has worked off what has happened: answers that came in one burst leave together.
    private var isSendDeferred = false
    private var malformedRequests = 0
    /// True after a GOAWAY with an error was sent: an error of the connection, not of a stream.
    private var hasFailed = false

    /// The connection's receive window, and the received bytes that are still unread.
    private var inboundWindow = 65_535
    private var waitingBytes = 0

    init(
        channel: any Channel, peer: PeerAddress, tls: TLSIdentity?, handler: any RequestHandler, settings: ServerSettings,
        loop: ServerLoop
    ) {
        eventLoop = channel.eventLoop
        self.peer = peer
        self.tls = tls
        self.handler = handler
        self.settings = settings
        self.loop = loop
        parser = RequestHeadParser(limits: settings.headLimits)
        deadline.owner = self
    }

    /// Adds what speaks HTTP/2 at the end of the pipeline.
    func install(in pipeline: ChannelPipeline) throws {
        let meter = HTTP2FrameMeter(connection: self)
        self.meter = meter
        let configuration = HTTP2Limits.configuration(settings)
        let codec = NIOHTTP2Handler(
            mode: .server, frameDelegate: self, connectionConfiguration: configuration.connection,
            streamConfiguration: configuration.stream)
        // This one first: the codec writes and tells as soon as it is added.
        try pipeline.syncOperations.addHandler(self)
        guard let context else { throw ChannelError.ioOnClosedChannel }
        try pipeline.syncOperations.addHandler(codec, position: .before(context.handler))
        try pipeline.syncOperations.addHandler(meter, position: .before(codec))
        try pipeline.syncOperations.addHandler(HTTP2WriteGatherer(), position: .before(meter))
        creditConnection()
        flush()
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.connections.insert(self)
        startLimit(.preface)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ended()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        isReading = true
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let part):
            receive(part, frame.streamID)
        case .data(let part):
            guard let stream = streams[frame.streamID], case .byteBuffer(let bytes) = part.data else { return }
            waitingBytes += bytes.readableBytes
            stream.receive(bytes, isEnd: part.endStream)
        case .rstStream:
            streams[frame.streamID]?.ended()
        case .ping(_, let isAcknowledgement):
            if isAcknowledgement, draining == .announced { sayLastStream() }
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        let touched = self.touched
        self.touched.removeAll(keepingCapacity: true)
        for stream in touched { stream.passedOn() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The types tell the three events of each request apart, because a failing cast is slow.
        let type = Swift.type(of: event)
        if type == NIOHTTP2StreamCreatedEvent.self { return }
        if type == NIOHTTP2WindowUpdatedEvent.self, let event = event as? NIOHTTP2WindowUpdatedEvent { return windowChanged(event) }
        if type == StreamClosedEvent.self, let event = event as? StreamClosedEvent { streams[event.streamID]?.ended(); return }
        if let event = event as? ChannelEvent, event == .inputClosed {
            // HTTP/2 has no half-closed connections: who sends no more cannot take anything either (it cannot open its windows).
            return close()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func windowChanged(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let window = event.inboundWindowSize else { return }
        if event.streamID == .rootStream {
            inboundWindow = window
            creditConnection()
        } else if let stream = streams[event.streamID] {
            stream.inboundWindow = window
            credit(stream)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors from below the codec end at the meter. What comes here is the codec's: errors of streams, which it has answered
        // with RST_STREAM, and those of the connection, after its GOAWAY.
        if hasFailed { finish() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .data: meter?.sentDataFrames += 1
        case .goAway(_, let code, _) where code != .noError: hasFailed = true
        default: break
        }
    }

    private func ended() {
        guard !isClosed else { return }
        isClosed = true
        isEnding = true
        for stream in Array(streams.values) { stream.ended() }
        loop.wheel.cancel(deadline)
        loop.connections.remove(self)
    }

    // MARK: Streams

    private func receive(_ part: HTTP2Frame.FramePayload.Headers, _ id: HTTP2StreamID) {
        if let stream = streams[id] {
            return stream.receive(trailers: part.headers, isEnd: part.endStream)
        }
        // Behind the streams that were: a rest of one that is gone.
        guard id > lastStreamID, draining != .final else { return }
        lastStreamID = id
        let stream = HTTP2Stream(id: id, connection: self)
        swap(&stream.connectionState, &spareState)
        streams[id] = stream
        if draining == .no { loop.wheel.clear(deadline) }
        do throws(HTTP2RequestHead.Refusal) {
            let head = try HTTP2RequestHead.head(
                from: part.headers, isEnd: part.endStream, limits: settings.headLimits, parser: &parser, lines: &loop.lines)
            stream.begin(head, isEnd: part.endStream)
        } catch {
            switch error {
            case .malformed: malformed(stream)
            case .refused(let reason): stream.refuse(reason, isEnd: part.endStream, resemblesBrowser: Self.resemblesBrowser(part.headers))
            }
        }
    }

    /// A request that RFC 9113 section 8.1.1 calls malformed.
    func malformed(_ stream: HTTP2Stream) {
        malformedRequests += 1
        if malformedRequests > HTTP2Limits.malformedRequests { return fail(.enhanceYourCalm) }
        stream.reset(.protocolError)
    }

    private static func resemblesBrowser(_ section: HPACKHeaders) -> Bool {
        section.contains { $0.name == "accept" && $0.value.contains("text/html") }
    }

    func remove(_ stream: HTTP2Stream, waiting count: Int) {
        guard streams.removeValue(forKey: stream.id) != nil else { return }
        if stream.mayBeSentMore { meter?.streamWasCut() }
        waitingBytes -= count
        creditConnection()
        guard streams.isEmpty, !isEnding else { return }
        if draining == .final {
            finish()
        } else if draining == .no {
            startLimit(.idle)
        }
    }

    /// Reuses the memory of a closed stream for the next one, unless it is still referenced.
    func takeBack(_ head: inout RequestHead, _ state: inout AnyObject?) {
        head.recycle(into: &parser)
        if isKnownUniquelyReferenced(&state) { swap(&state, &spareState) }
        state = nil
    }

    func touch(_ stream: HTTP2Stream) {
        touched.append(stream)
        // Outside a read, nothing else passes the frames on.
        if !isReading {
            touched.removeAll(keepingCapacity: true)
            stream.passedOn()
        }
    }

    // MARK: Flow control

    /// Part of a body was taken.
    func took(_ count: Int, of stream: HTTP2Stream) {
        waitingBytes -= count
        credit(stream)
        creditConnection()
    }

    /// Sends WINDOW_UPDATE once half of the window beside the unread bytes is free.
    private func credit(_ stream: HTTP2Stream) {
        guard stream.mayReceive, !isEnding else { return }
        let room = HTTP2Limits.streamWindow - stream.inboundWindow - stream.waitingBytes
        guard room >= HTTP2Limits.streamWindow / 2 else { return }
        stream.inboundWindow += room
        write(.windowUpdate(windowSizeIncrement: room), on: stream.id)
        flush()
    }

    private func creditConnection() {
        guard !isEnding else { return }
        let room = HTTP2Limits.connectionWindow - inboundWindow - waitingBytes
        guard room >= HTTP2Limits.connectionWindow / 2 else { return }
        // The codec tells of the connection's window when the client changes it, not when we do.
        inboundWindow += room
        write(.windowUpdate(windowSizeIncrement: room), on: .rootStream)
        flush()
    }

    // MARK: Writing

    func write(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID, promise: EventLoopPromise<Void>? = nil) {
        guard let context, !isClosed else {
            return promise?.fail(ChannelError.ioOnClosedChannel) ?? ()
        }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
    }

    /// One flush for all that is written in this turn of the loop.
    func flush() {
        guard !isSendDeferred, context != nil else { return }
        isSendDeferred = true
        loop.sends.add(self)
    }

    func sendDeferred() {
        isSendDeferred = false
        context?.flush()
    }

    /// Sends what was written without waiting for the end of the turn.
    func sendNow() { context?.flush() }

    // MARK: Ends

    /// No further stream is opened; those that are end first (RFC 9113 section 6.8).
    func drain() {
        guard draining == .no, !isEnding else { return }
        draining = .announced
        // What the client sent before it knew still counts: the PING comes back behind it. The codec must not see this GOAWAY: it
        // would take no new stream from now on.
        meter?.writeShutdownNotice()
        write(.ping(HTTP2PingData(withInteger: 0), ack: false), on: .rootStream)
        context?.flush()
        startLimit(.goAway)
    }

    private func sayLastStream() {
        guard draining == .announced, !isEnding else { return }
        draining = .final
        write(.goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: nil), on: .rootStream)
        context?.flush()
        loop.wheel.clear(deadline)
        if streams.isEmpty { finish() }
    }

    /// Ends the connection with an error.
    func fail(_ code: HTTP2ErrorCode) {
        guard !isEnding else { return }
        write(.goAway(lastStreamID: lastStreamID, errorCode: code, opaqueData: nil), on: .rootStream)
        context?.flush()
        finish()
    }

    /// After the last GOAWAY: what the client still sends is thrown away for a while, so that it can read why.
    private func finish() {
        guard !isEnding, let context else { return }
        isEnding = true
        for stream in Array(streams.values) { stream.ended() }
        startLimit(.linger)
        context.flush()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        meter?.whenWritten { bound.value.context?.close(mode: .output, promise: nil) }
    }

    private func close() {
        guard let context else { return }
        isEnding = true
        for stream in Array(streams.values) { stream.ended() }
        context.close(promise: nil)
    }

    func terminate() { close() }

    var idleness: Idleness? { idleSince.map { Idleness(since: $0, isUsed: lastStreamID != .rootStream) } }

    private var idleSince: UInt64? {
        guard streams.isEmpty, !isEnding, !isClosed else { return nil }
        switch limit {
        case .idle: return deadline.start(milliseconds: settings.idleTimeout)
        case .preface, .head: return deadline.start(milliseconds: settings.headerTimeout)
        case .goAway, .linger: return nil
        }
    }

    func closeIdle() {
        guard let context else { return }
        isEnding = true
        write(.goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: nil), on: .rootStream)
        context.flush()
        TLSHandshake.closeAtOnce(context)
    }

    // MARK: Limits

    private func startLimit(_ kind: Limit) {
        limit = kind
        let milliseconds: Int64 =
            switch kind {
            case .preface, .head: settings.headerTimeout
            case .idle: settings.idleTimeout
            case .goAway: 1_000
            case .linger: 2_000
            }
        loop.wheel.set(deadline, milliseconds: milliseconds)
    }

    func prefaceReceived() {
        if limit == .preface, streams.isEmpty, draining == .no, !isEnding { startLimit(.idle) }
    }

    func headerBlockBegan() {
        if draining == .no, !isEnding { startLimit(.head) }
    }

    /// The meter reads ahead: a stream whose HEADERS are still to be decoded has not ended.
    func hasEnded(_ id: Int) -> Bool { id > 0 && id <= Int(lastStreamID) && streams[HTTP2StreamID(id)] == nil }

    func headerBlockEnded() {
        guard limit == .head, !isEnding else { return }
        if streams.isEmpty { startLimit(.idle) } else { loop.wheel.clear(deadline) }
    }

    func deadlineExpired() {
        switch limit {
        case .preface, .head: fail(.enhanceYourCalm)
        case .idle:
            // One that is about to send a request learns that it was not read.
            fail(.noError)
        case .goAway: sayLastStream()
        case .linger: close()
        }
    }
}
