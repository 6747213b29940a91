import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS
import Exchanges
import Transport

/// A connection that is being opened, until it is known what it speaks: TCP, TLS, ALPN, the upstream's first SETTINGS.
///
/// Requests wait for it. Nothing of them has been sent, so when it fails each may go to another target. Lives in the channel's
/// pipeline behind TLS while that negotiates, and is taken out before the first byte of HTTP.
final class UpstreamOpening: ChannelInboundHandler, RemovableChannelHandler, DeadlineOwner {
    typealias InboundIn = ByteBuffer

    /// More would be more than most upstreams allow at once.
    private static let waitingLimit = 100

    let http1Only: Bool
    private let pool: UpstreamPool
    private let deadline = Deadline()
    private var waiting: [WaitingRequest] = []
    private var channel: (any Channel)?
    private var isOver = false
    /// Counts towards the connections that the target may have; nil without a limit.
    private var slot: ConnectionSlot?
    /// Hears once what became of it; nil: it can be used.
    var onOutcome: ((ForwardFailure?) -> Void)?

    init(pool: UpstreamPool, http1Only: Bool, slot: ConnectionSlot? = nil) {
        self.pool = pool
        self.slot = slot
        self.http1Only = http1Only
        deadline.owner = self
    }

    var hasRoom: Bool { !http1Only && waiting.count < Self.waitingLimit }

    func add(_ request: WaitingRequest) { waiting.append(request) }

    // MARK: Opening

    func start(with dialler: Dialler) {
        // One limit for everything up to the first usable moment.
        pool.wheel.set(deadline, milliseconds: pool.settings.connectTimeout)
        let bound = NIOLoopBound(self, eventLoop: pool.eventLoop)
        dialler.dial { result in
            switch result {
            case .success(let channel): bound.value.connected(channel)
            case .failure(let failure): bound.value.fail(failure.reason, failure.detail)
            }
        }
    }

    /// For tests too: the channel is open and has no handlers.
    func connected(_ channel: any Channel) {
        guard !isOver else { return channel.close(promise: nil) }
        self.channel = channel
        do {
            switch pool.target.transport {
            case .plain: try becomeHTTP1(channel)
            case .http2: try becomeHTTP2(channel)
            case .tls(let tls):
                try channel.pipeline.syncOperations.addHandlers(try tls.handler(http1Only: http1Only), self)
            }
        } catch {
            fail(.tlsFailed, "TLS could not be started: \(TLSFailureReason.code(of: error))")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent, !isOver else {
            return context.fireUserInboundEventTriggered(event)
        }
        do {
            if negotiated == "h2", !http1Only { try becomeHTTP2(context.channel) } else { try becomeHTTP1(context.channel) }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            fail(.connectFailed, "the connection closed right after the TLS handshake")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .tls(let tls) = pool.target.transport else {
            return fail(.connectFailed, SystemError.text(error) ?? "\(type(of: error))")
        }
        let certificate = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self).peerCertificate
        if let known = UpstreamTLS.failure(for: error, name: name(tls), certificate: certificate) {
            fail(known.reason, known.detail)
        } else {
            fail(.connectFailed, "the connection closed during the TLS handshake" + (SystemError.text(error).map { ": " + $0 } ?? ""))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectFailed, "the upstream closed the connection during the TLS handshake")
        context.fireChannelInactive()
    }

    private func name(_ tls: UpstreamTLS) -> String {
        if let name = tls.serverName { return name }
        if case .tcp(let host, _) = pool.target.endpoint { return host }
        return "the upstream"
    }

    // MARK: Open

    private func becomeHTTP1(_ channel: any Channel) throws {
        let connection = try pool.opened(self, http1: channel)
        connection.slot = slot.take()
        finish()
        var requests = waiting
        waiting = []
        // The first that is still there gets it; the others were waiting for streams that there are none of.
        while !requests.isEmpty {
            let next = requests.removeFirst()
            guard let exchange = next.take() else { continue }
            connection.adopt(next.request, of: exchange, observer: next.observer)
            for other in requests {
                if let exchange = other.take() { pool.forward(other.request, of: exchange, observer: other.observer) }
            }
            return
        }
        connection.adoptIdle()
    }

    private func becomeHTTP2(_ channel: any Channel) throws {
        let session = UpstreamSession(pool: pool, opening: self)
        try session.install(in: channel)
    }

    /// The upstream has said how many streams it takes.
    func isReady(_ session: UpstreamSession) {
        guard !isOver else { return session.retire() }
        finish()
        session.slot = slot.take()
        pool.opened(self, session: session)
        let requests = waiting
        waiting = []
        for next in requests {
            guard let exchange = next.take() else { continue }
            if session.hasRoom {
                session.start(next.request, of: exchange, observer: next.observer)
            } else {
                pool.forward(next.request, of: exchange, observer: next.observer)
            }
        }
        pool.serveWaiting(on: session)
        session.restIfUnused()
    }

    // MARK: The end

    private func finish(_ failure: ForwardFailure? = nil) {
        isOver = true
        pool.wheel.cancel(deadline)
        onOutcome?(failure)
        onOutcome = nil
    }

    func fail(_ failure: UpstreamFailure, _ detail: String) {
        guard !isOver else { return }
        finish(ForwardFailure(failure, at: pool.target.label, detail))
        pool.failedToOpen(self)
        pool.noteFailure(failure, detail)
        channel?.close(promise: nil)
        slot.take()?.release()
        let requests = waiting
        waiting = []
        for next in requests {
            guard let exchange = next.take() else { continue }
            pool.failed(next.request, of: exchange, observer: next.observer, failure, detail, .opening, hasBodyBegun: false)
        }
    }

    func deadlineExpired() { fail(.connectTimeout, "no usable connection within \(pool.settings.connectTimeout) ms") }
}
