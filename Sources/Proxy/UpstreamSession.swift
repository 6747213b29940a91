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
    private var streams = 0
    /// A stream has ended on this connection before.
    private(set) var isReused = false
    /// Counts towards the connections that the target may have; nil without a limit.
    var slot: ConnectionSlot?
    /// The number of streams that both sides allow.
    private var streamLimit: Int
    /// SETTINGS_INITIAL_WINDOW_SIZE of the upstream.
    private var initialWindow = 65_535
    private var isReady = false
    /// Takes no further streams.
    private var isRetired = false
    /// The last stream that the upstream will answer, once it has said so (RFC 9113 section 6.8).
    private var lastStream: HTTP2StreamID?
    /// The reason why the connection ended, for its streams.
    private(set) var failure: (reason: UpstreamFailure, detail: String)?
    /// Grows with every read: a stream that waits in vain can tell whether the upstream still speaks at all.
    private(set) var readCount: UInt64 = 0

    init(pool: UpstreamPool, opening: UpstreamOpening?) {
        self.pool = pool
        self.opening = opening
        streamLimit = pool.settings.streams
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

    var hasRoom: Bool { isReady && !isRetired && streams < streamLimit }
    var isUnused: Bool { isReady && streams == 0 }

    func start(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        streams += 1
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
        streams -= 1
        isReused = true
        pool.serveWaiting(on: self)
        restIfUnused()
    }

    func restIfUnused() {
        guard streams == 0 else { return }
        if isRetired { close() } else { pool.wheel.set(deadline, milliseconds: pool.settings.keepAlive) }
    }

    /// Whether the upstream has said that it does not look at a stream.
    func neverLooked(at stream: HTTP2StreamID?) -> Bool {
        guard let stream else { return true }
        return lastStream.map { stream > $0 } ?? false
    }

    /// Takes no further streams; ends with the last one.
    func retire() {
        guard !isRetired else { return }
        isRetired = true
        pool.connections.remove(self)
        restIfUnused()
    }

    private func close() {
        isRetired = true
        pool.connections.remove(self)
        pool.wheel.cancel(deadline)
        context?.close(promise: nil)
        slot.take()?.release()
    }

    /// The connection has been unused for long.
    func deadlineExpired() { if streams == 0 { close() } }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        pool.wheel.cancel(deadline)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)):
            for setting in settings {
                switch setting.parameter {
                case .maxConcurrentStreams: streamLimit = min(setting.value, pool.settings.streams)
                case .initialWindowSize where setting.value < initialWindow && streams > 0: return windowsShrunk()
                case .initialWindowSize: initialWindow = setting.value
                default: break
                }
            }
            guard !isReady else { break }
            isReady = true
            // The requests that wait would open the next connection, which says the same, and so on without end.
            if hasRoom {
                opening?.isReady(self)
            } else {
                opening?.fail(.http2Error, "the upstream's first SETTINGS allow no streams")
            }
            opening = nil
        case .goAway(let last, let code, _):
            lastStream = last
            if code != .noError { failure = (.http2Error, "the upstream closed the connection with GOAWAY \(code)") }
            retire()
        default:
            break
        }
    }

    /// The window of a stream may be negative now (RFC 9113 section 6.9.2). If its request ended with empty DATA, swift-nio-http2 1.46.0 would
    /// end the process: it takes a slice of negative length from it.
    private func windowsShrunk() {
        failure = (.http2Error, "the upstream made the windows of open streams smaller")
        close()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readCount &+= 1
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if failure == nil { failure = describe(error) }
        opening?.fail(failure?.reason ?? .http2Error, failure?.detail ?? "")
        opening = nil
        // What follows a broken rule means nothing.
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isRetired = true
        pool.connections.remove(self)
        pool.wheel.cancel(deadline)
        slot.take()?.release()
        opening?.fail(.http2Error, "the connection closed before the upstream's SETTINGS; check that it speaks HTTP/2")
        opening = nil
        context.fireChannelInactive()
    }

    private func describe(_ error: any Error) -> (reason: UpstreamFailure, detail: String) {
        if case .tls(let tls) = pool.target.transport,
            let known = UpstreamTLS.failure(for: error, name: tls.serverName ?? pool.target.label, certificate: nil)
        {
            return known
        }
        guard isReady || !(error is ChannelError || error is IOError) else {
            return (.http2Error, "the connection closed before the upstream's SETTINGS; check that it speaks HTTP/2")
        }
        if error is ChannelError || error is IOError { return (.closedEarly, SystemError.text(error) ?? "") }
        // The type's name says which rule it was: `ExcessiveContinuationFrames`.
        return (.http2Error, isReady ? "\(type(of: error))" : "\(type(of: error)); check that the upstream speaks HTTP/2")
    }
}
