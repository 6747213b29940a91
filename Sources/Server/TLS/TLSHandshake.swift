import Exchanges
import HTTPWire
import NIOCore
import NIOSSL
import NIOTLS
import TokenCrypto
import Transport

/// From the accept to the end of the TLS handshake: one deadline over all of it, the certificate by the name that the client asks
/// for, then what ALPN chose.
final class TLSHandshake: ServedConnection, DeadlineOwner {
    private enum Limit { case handshake, linger }

    private let setup: ConnectionSetup
    private let contexts: TLSContexts
    private let deadline = Deadline()
    private var limit = Limit.handshake
    private var isOver = false
    fileprivate var hasBytes = false
    /// What the client asked for, and the names of the certificate that it gets.
    private var chosen: (serverName: String?, names: CertificateNames)?

    init(setup: ConnectionSetup, contexts: TLSContexts) {
        self.setup = setup
        self.contexts = contexts
        deadline.owner = self
    }

    func install() throws {
        let operations = setup.channel.pipeline.syncOperations
        setup.loop.connections.insert(self)
        setup.loop.wheel.set(deadline, milliseconds: setup.settings.headerTimeout)
        let first = TLSFirstByte(handshake: self)
        let bound = NIOLoopBound(self, eventLoop: setup.channel.eventLoop)
        let reader = ByteToMessageHandler(
            SNIHandler { result in
                let handshake = bound.value
                return handshake.setup.channel.eventLoop.makeCompletedFuture { try handshake.begin(result) }
            })
        do {
            try operations.addHandlers(first, reader, TLSEnd(handshake: self))
        } catch {
            leave()
            throw error
        }
    }

    /// The client's first message was read.
    private func begin(_ result: SNIResult) throws {
        let name: String? =
            switch result {
            case .hostname(let name): name
            case .fallback: nil
            }
        let chosen = contexts.choose(serverName: name)
        self.chosen = (name, chosen.names)
        let operations = setup.channel.pipeline.syncOperations
        let end = try operations.handler(type: TLSEnd.self)
        try operations.addHandlers(NIOSSLServerHandler(context: chosen.context), TLSWriteSplitter(), position: .before(end))
    }

    /// The handshake is done; what follows is served.
    fileprivate func completed(_ end: TLSEnd, protocolName: String?) {
        guard !isOver, let chosen else { return setup.channel.close(promise: nil) }
        isOver = true
        setup.loop.wheel.cancel(deadline)
        setup.loop.connections.handOver(self)
        do {
            let identity = TLSIdentity(
                serverName: chosen.serverName, names: chosen.names, clientCertificate: try clientCertificate())
            if protocolName == "h2" {
                try setup.serveHTTP2(tls: identity)
            } else {
                // The client's last message would be acknowledged with the first response. Until then a client that gathers small
                // segments holds its request back, for the 40 ms after which the system acknowledges by itself.
                setup.channel.acknowledgeNow()
                try setup.serveHTTP1(tls: identity)
            }
        } catch {
            setup.loop.gauge.leave()
            return setup.channel.close(promise: nil)
        }
        let operations = setup.channel.pipeline.syncOperations
        operations.removeHandler(end, promise: nil)
        if let first = try? operations.handler(type: TLSFirstByte.self) { operations.removeHandler(first, promise: nil) }
    }

    /// The client's certificate, which TLS has verified; nil without one.
    private func clientCertificate() throws -> ClientCertificate? {
        guard let certificate = try setup.channel.pipeline.syncOperations.nioSSL_peerCertificate(),
            let facts = ClientCertificateFacts(der: try certificate.toDERBytes())
        else { return nil }
        return ClientCertificate(subject: facts.subject, names: facts.names, fingerprint: facts.fingerprint)
    }

    fileprivate func failed(_ error: any Error) {
        guard !isOver else { return }
        tell(TLSFailureReason.code(of: error))
        isOver = true
        setup.channel.close(promise: nil)
    }

    /// A port probe is not a failure.
    private func tell(_ reason: String) {
        if hasBytes { setup.handler.handshakeFailed(setup.peer, reason: reason) }
    }

    /// Something else than TLS came. A request in clear text gets told.
    fileprivate func receivedPlainText(_ context: ChannelHandlerContext, looksLikeHTTP: Bool) {
        guard !isOver else { return }
        isOver = true
        setup.handler.handshakeFailed(setup.peer, reason: "clear-text")
        guard looksLikeHTTP else { return setup.channel.close(promise: nil) }
        let text = "This port speaks https. Use an address that starts with https://.\n"
        let answer =
            "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: \(text.utf8.count)\r\n"
            + "cache-control: no-store\r\nconnection: close\r\n\r\n" + text
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
        context.close(mode: .output, promise: nil)
        limit = .linger
        setup.loop.wheel.set(deadline, milliseconds: 2_000)
    }

    fileprivate func leave() {
        setup.loop.wheel.cancel(deadline)
        setup.loop.connections.remove(self)
    }

    func deadlineExpired() {
        if limit == .handshake, !isOver { tell("timeout") }
        isOver = true
        closeSocket()
    }

    func drain() { closeSocket() }
    func terminate() { closeSocket() }

    /// Bypasses TLS, which would wait for the peer's close_notify.
    private func closeSocket() {
        if let context = try? setup.channel.pipeline.syncOperations.context(handlerType: TLSFirstByte.self) {
            context.close(promise: nil)
        } else {
            setup.channel.close(promise: nil)
        }
    }

    var idleness: Idleness? {
        guard limit == .handshake, !isOver else { return nil }
        return deadline.start(milliseconds: setup.settings.headerTimeout).map { Idleness(since: $0, isUsed: false) }
    }

    func closeIdle() {
        isOver = true
        closeSocket()
    }

    /// Sends close_notify on a TLS connection, and closes it without waiting for the peer's.
    static func closeAtOnce(_ context: ChannelHandlerContext) {
        let beneath = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        context.close(promise: nil)
        beneath?.close(promise: nil)
    }

    /// Closes a connection without close_notify: the client must notice that the response is incomplete.
    static func closeBeneath(_ context: ChannelHandlerContext) {
        if let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            context.close(promise: nil)
        }
    }
}

/// In front of TLS: tells a handshake from a request in clear text.
private final class TLSFirstByte: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let handshake: TLSHandshake
    private var isPlain = false

    init(handshake: TLSHandshake) { self.handshake = handshake }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isPlain { return }
        if !handshake.hasBytes, let first = unwrapInboundIn(data).readableBytesView.first {
            handshake.hasBytes = true
            // A TLS record that carries a handshake (RFC 8446 section 5.1).
            if first != 22 {
                isPlain = true
                return handshake.receivedPlainText(context, looksLikeHTTP: (0x41...0x5A).contains(first))
            }
        }
        context.fireChannelRead(data)
    }
}

/// Behind TLS until the handshake is over.
private final class TLSEnd: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let handshake: TLSHandshake
    private var isGone = false

    init(handshake: TLSHandshake) { self.handshake = handshake }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated):
            isGone = true
            handshake.completed(self, protocolName: negotiated)
        case let event as ChannelEvent where event == .inputClosed:
            context.close(promise: nil)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { handshake.failed(error) }

    func channelInactive(context: ChannelHandlerContext) {
        if !isGone { handshake.leave() }
        context.fireChannelInactive()
    }
}
