import Exchanges
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The handler of an HTTP/2 connection: its streams, each an exchange.
///
/// Frames are decoded and the states of streams are kept by `NIOHTTP2Handler` below. `HTTP2ConnectionMachine` decides; this type passes it
/// the frames, and does what it returns.
final class HTTP2Connection: ChannelInboundHandler, ServedConnection, DeferredSender, DeadlineOwner, NIOHTTP2FrameDelegate {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let peer: PeerAddress
    let tls: TLSIdentity?
    let handler: any RequestHandler
    let settings: ServerSettings
    let loop: ServerLoop
    let deadline = Deadline()
    private(set) var context: ChannelHandlerContext?
    private(set) var meter: HTTP2FrameMeter?
    var machine = HTTP2ConnectionMachine()
    private var schedule = SendSchedule()

    private var parser: RequestHeadParser
    private(set) var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// The handler's state of the connection, kept from a closed stream.
    private var spareState: AnyObject?
    private var burst = Burst()

    /// The frames that are read together.
    private struct Burst {
        enum Phase { case none, reading }

        var phase = Phase.none
        /// Streams that got parts of a body.
        var touched: [HTTP2Stream] = []
    }

    init(
        channel: any Channel, peer: PeerAddress, tls: TLSIdentity?, handler: any RequestHandler, settings: ServerSettings,
        loop: ServerLoop
    ) {
        self.peer = peer
        self.tls = tls
        self.handler = handler
        self.settings = settings
        self.loop = loop
        parser = RequestHeadParser(limits: settings.headLimits)
        deadline.owner = self
    }

    var eventLoop: any EventLoop { loop.eventLoop }

    /// Adds what speaks HTTP/2 at the end of the pipeline.
    func install(in pipeline: ChannelPipeline) throws {
        let meter = HTTP2FrameMeter(connection: self)
        self.meter = meter
        let configuration = HTTP2Limits.configuration(settings)
        let codec = NIOHTTP2Handler(
            mode: .server, frameDelegate: self, connectionConfiguration: configuration.connection,
            streamConfiguration: configuration.stream)
        // This one first: the codec writes and reports as soon as it is added.
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
        execute(machine.open())
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ended()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !machine.isEnding else { return }
        burst.phase = .reading
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let part):
            receive(part, frame.streamID)
        case .data(let part):
            guard let stream = streams[frame.streamID], case .byteBuffer(let bytes) = part.data else { return }
            machine.received(bytes.readableBytes)
            stream.receive(bytes, padding: part.paddingBytes, isEnd: part.endStream)
            credit(stream)
        case .rstStream:
            streams[frame.streamID]?.ended()
        case .settings(.settings(let settings)):
            for setting in settings where setting.parameter == .initialWindowSize {
                if machine.initialWindowChanged(to: setting.value) { windowsShrunk() }
            }
        case .ping(_, let isAcknowledgement):
            if isAcknowledgement { execute(machine.pingAcknowledged()) }
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        burst.phase = .none
        let touched = burst.touched
        burst.touched.removeAll(keepingCapacity: true)
        for stream in touched { stream.passedOn() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The types tell the three events of each request apart, because a failing cast is slow.
        let type = Swift.type(of: event)
        // The codec reports windows as they were before WINDOW_UPDATE frames that were written meanwhile: they are counted here instead.
        if type == NIOHTTP2StreamCreatedEvent.self || type == NIOHTTP2WindowUpdatedEvent.self { return }
        if type == StreamClosedEvent.self, let event = event as? StreamClosedEvent { streams[event.streamID]?.ended(); return }
        if let event = event as? ChannelEvent, event == .inputClosed {
            // HTTP/2 has no half-closed connections: a client that sends no more cannot take anything either (it cannot open its windows).
            return terminate()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors from below the codec end at the meter. What comes here is the codec's: errors of streams, which it has answered
        // with RST_STREAM, and those of the connection, after its GOAWAY.
        execute(machine.errorCaught())
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .data: meter?.flood.sentData()
        case .goAway(_, let code, _) where code != .noError: machine.noteFailure()
        default: break
        }
    }

    // MARK: Streams

    private func receive(_ part: HTTP2Frame.FramePayload.Headers, _ id: HTTP2StreamID) {
        if let stream = streams[id] {
            return stream.receive(trailers: part.headers, isEnd: part.endStream)
        }
        guard let actions = machine.beginStream(id) else { return }
        let stream = HTTP2Stream(id: id, connection: self)
        swap(&stream.connectionState, &spareState)
        streams[id] = stream
        execute(actions)
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

    func malformed(_ stream: HTTP2Stream) {
        if machine.toleratesMalformed() { stream.reset(.protocolError) } else { fail(.enhanceYourCalm) }
    }

    private static func resemblesBrowser(_ section: HPACKHeaders) -> Bool {
        section.contains { $0.name == "accept" && $0.value.contains("text/html") }
    }

    /// The stream is gone. `unread`: the bytes of its body that were never read.
    func remove(_ stream: HTTP2Stream, unread: Int) {
        guard streams.removeValue(forKey: stream.id) != nil else { return }
        if stream.machine.mayBeSentMore { meter?.flood.streamWasCut() }
        machine.took(unread)
        execute(machine.endStream())
        creditConnection()
    }

    /// Reuses the memory of a closed stream for the next one, unless it is still referenced.
    func takeBack(_ head: inout RequestHead, _ state: inout AnyObject?) {
        head.recycle(into: &parser)
        if isKnownUniquelyReferenced(&state) { swap(&state, &spareState) }
        state = nil
    }

    /// The stream's delegate has got a part of a body: `passedOn` follows the last frame that is read now.
    func touch(_ stream: HTTP2Stream) {
        switch burst.phase {
        case .reading: burst.touched.append(stream)
        case .none: stream.passedOn()
        }
    }

    // MARK: Flow control

    /// The codec has got bytes of DATA frames, padding included.
    func clientSent(_ count: Int) {
        machine.clientSent(count)
        creditConnection()
    }

    /// Part of a body was taken.
    func took(_ count: Int, of stream: HTTP2Stream) {
        machine.took(count)
        credit(stream)
        creditConnection()
    }

    private func credit(_ stream: HTTP2Stream) {
        guard !machine.isEnding, let increment = stream.machine.credit() else { return }
        write(.windowUpdate(windowSizeIncrement: increment), on: stream.id)
        flush()
    }

    /// A last frame without bytes that waits in the codec would end the process once the window of its stream is negative: swift-nio-http2
    /// 1.46.0 takes a slice of negative length from empty DATA, and a debug build checks it for HEADERS, too. Such streams are reset, and
    /// from now on responses whose bytes were written before end with HEADERS, which do not wait unless bytes do.
    private func windowsShrunk() { for stream in Array(streams.values) where stream.machine.lastFrame == .mayWait { stream.abort() } }

    private func creditConnection() {
        guard let increment = machine.credit() else { return }
        write(.windowUpdate(windowSizeIncrement: increment), on: .rootStream)
        flush()
    }

    // MARK: Writing

    func write(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID, promise: EventLoopPromise<Void>? = nil) {
        guard let context, !machine.isClosed else {
            return promise?.fail(ChannelError.ioOnClosedChannel) ?? ()
        }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
    }

    /// One flush for all that is written in this turn of the loop: answers that came in one burst leave together.
    func flush() { if context != nil, schedule.deferToEndOfTurn() { loop.sends.add(self) } }

    func sendDeferred() {
        schedule.end()
        context?.flush()
    }

    /// Sends what was written without waiting for the end of the turn.
    func sendNow() { context?.flush() }
}
