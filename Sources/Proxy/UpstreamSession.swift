import Decisions
import HTTPWire
import NIOCore
import NIOHTTP2
import Exchanges
import Transport

/// One HTTP/2 connection to an upstream: its streams share it, each serves one exchange.
///
/// The limits of a misbehaving upstream are `NIOHTTP2Handler`'s (header lists, CONTINUATION, floods of control frames, flow
/// control); whatever it reports ends the connection. What belongs to one response is `UpstreamStream`'s.
final class UpstreamSession: ChannelInboundHandler, DeadlineOwner {
    typealias InboundIn = HTTP2Frame

    let pool: UpstreamPool
    private weak var opening: UpstreamOpening?
    private let deadline = Deadline()
    private var context: ChannelHandlerContext?
    private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
    /// Counts towards the connections that the target may have; nil without a limit.
    var slot: ConnectionSlot?
    private var machine: HTTP2ClientConnectionMachine
    /// The reason why the connection ended, for its streams.
    private(set) var failure: (reason: UpstreamFailure, detail: String)?

    init(pool: UpstreamPool, opening: UpstreamOpening?) {
        self.pool = pool
        self.opening = opening
        machine = HTTP2ClientConnectionMachine(streamLimit: pool.settings.streams)
        deadline.owner = self
    }

    // MARK: Setting up

    func install(in channel: any Channel) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: pool.settings.headLimits.bytes),
        ]
        // Both are checked by the stream, which then resets itself alone; here they would end the connection for all.
        connection.headerBlockValidation = .disabled
        connection.contentLengthValidation = .disabled
        connection.targetWindowSize = 16 * Self.streamWindow
        // The defaults are for servers that strangers connect to. gRPC servers ping at each burst of data, and reset
        // streams whose callers' deadlines have passed.
        connection.maximumSequentialEmptyDataFrames = 16
        connection.controlFrameRateLimit.maximumCount = 2_000
        connection.controlFrameRateLimit.windowLength = .seconds(10)
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = Self.streamWindow
        stream.outboundBufferSizeHighWatermark = 64 * 1024
        stream.outboundBufferSizeLowWatermark = 32 * 1024
        stream.streamResetFrameRateLimit.maximumCount = 2_000
        stream.streamResetFrameRateLimit.windowLength = .seconds(10)
        let handler = NIOHTTP2Handler(
            mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: connection, streamConfiguration: stream,
            inboundStreamInitializer: { $0.close() })
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.pipeline.syncOperations.addHandler(self)
        multiplexer = try handler.syncMultiplexer()
    }

    /// The bytes that an upstream may send ahead of a slow client.
    private static let streamWindow = 256 * 1024

    // MARK: Use

    var remoteAddress: SocketAddress? { context?.channel.remoteAddress }

    var hasRoom: Bool { machine.hasRoom }
    var isUnused: Bool { machine.isUnused }
    var isReused: Bool { machine.use == .repeated }
    var readCount: UInt64 { machine.reads }

    func start(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        machine.beginStream()
        pool.wheel.clear(deadline)
        let stream = UpstreamStream(request, exchange, observer, session: self)
        guard let multiplexer else { return stream.failedToOpen() }
        let bound = NIOLoopBound(stream, eventLoop: pool.eventLoop)
        let opened = pool.eventLoop.makePromise(of: (any Channel).self)
        opened.futureResult.whenFailure { _ in bound.value.failedToOpen() }
        multiplexer.createStreamChannel(promise: opened) { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
        }
    }

    /// The stream has left the connection.
    func ended(_ stream: UpstreamStream) {
        machine.endStream()
        pool.serveWaiting(on: self)
        restIfUnused()
    }

    func restIfUnused() { execute(machine.rest()) }

    /// Whether the upstream has said that it does not look at a stream.
    func neverLooked(at stream: HTTP2StreamID?) -> Bool { machine.neverLooked(at: stream) }

    /// Takes no further streams; ends with the last one.
    func retire() { execute(machine.retire()) }

    func deadlineExpired() { execute(machine.deadlineExpired()) }

    private func execute(_ actions: HTTP2ClientConnectionActions) {
        if actions.contains(.leave) { pool.connections.remove(self) }
        if actions.contains(.setDeadline) { pool.wheel.set(deadline, milliseconds: pool.settings.keepAlive) }
        if actions.contains(.close) { close() }
    }

    private func close() {
        end()
        context?.close(promise: nil)
    }

    /// The connection is of no further use.
    private func end() {
        guard machine.close() else { return }
        pool.connections.remove(self)
        pool.wheel.cancel(deadline)
        slot.take()?.release()
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        pool.wheel.cancel(deadline)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)): changed(machine.received(settings))
        case .goAway(let last, let code, _):
            if code != .noError { failure = (.http2Error, "the upstream closed the connection with GOAWAY \(code)") }
            execute(machine.goAway(last: last))
        default:
            break
        }
    }

    private func changed(_ change: HTTP2ClientConnectionMachine.Change) {
        switch change {
        case .none: break
        case .ready:
            opening?.isReady(self)
            opening = nil
        // The requests that wait would open the next connection, which says the same, and so on without end.
        case .noStreams: failOpening("the upstream's first SETTINGS allow no streams")
        // If a request ended with empty DATA in a negative window, swift-nio-http2 1.46.0 would end the process: it takes a slice of negative
        // length from it.
        case .smallerWindows:
            failure = (.http2Error, "the upstream made the windows of open streams smaller")
            close()
        }
    }

    private func failOpening(_ detail: String, _ reason: UpstreamFailure = .http2Error) {
        opening?.fail(reason, detail)
        opening = nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        machine.read()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if failure == nil { failure = describe(error) }
        failOpening(failure?.detail ?? "", failure?.reason ?? .http2Error)
        // What follows a broken rule means nothing.
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        failOpening("the connection closed before the upstream's SETTINGS; check that it speaks HTTP/2")
        context.fireChannelInactive()
    }

    private func describe(_ error: any Error) -> (reason: UpstreamFailure, detail: String) {
        if case .tls(let tls) = pool.target.transport,
            let known = UpstreamTLS.failure(for: error, name: tls.serverName ?? pool.target.label, certificate: nil)
        {
            return known
        }
        let isSilent = machine.peer == .unknown
        if error is ChannelError || error is IOError {
            return isSilent
                ? (.http2Error, "the connection closed before the upstream's SETTINGS; check that it speaks HTTP/2")
                : (.closedEarly, SystemError.text(error) ?? "")
        }
        // The type's name says which rule it was: `ExcessiveContinuationFrames`.
        return (.http2Error, isSilent ? "\(type(of: error)); check that the upstream speaks HTTP/2" : "\(type(of: error))")
    }
}
