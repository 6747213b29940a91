import Exchanges
import NIOCore

/// Reads the first bytes of a connection in clear text: the HTTP/2 preface, or HTTP/1.1 (RFC 9113 section 3.3).
final class PrefaceReader: ChannelInboundHandler, RemovableChannelHandler, ServedConnection, DeadlineOwner {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let setup: ConnectionSetup
    private let deadline = Deadline()
    private var inbox = ByteBuffer()
    private var isDone = false

    init(setup: ConnectionSetup) {
        self.setup = setup
        deadline.owner = self
    }

    func handlerAdded(context: ChannelHandlerContext) {
        setup.loop.connections.insert(self)
        setup.loop.wheel.set(deadline, milliseconds: setup.settings.idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        setup.loop.wheel.cancel(deadline)
        setup.loop.connections.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if inbox.readableBytes == 0 {
            inbox = bytes
            setup.loop.wheel.set(deadline, milliseconds: setup.settings.headerTimeout)
        } else {
            inbox.writeBuffer(&bytes)
        }
        let isHTTP2 = inbox.readableBytesView.starts(with: Self.preface)
        if !isHTTP2, Self.preface.starts(with: inbox.readableBytesView) { return }
        isDone = true
        setup.loop.wheel.cancel(deadline)
        setup.loop.connections.handOver(self)
        do {
            if isHTTP2 { try setup.serveHTTP2(tls: nil) } else { try setup.serveHTTP1(tls: nil) }
        } catch {
            setup.loop.gauge.leave()
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(inbox))
        inbox = ByteBuffer()
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isDone, let event = event as? ChannelEvent, event == .inputClosed { return setup.channel.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func deadlineExpired() { setup.channel.close(promise: nil) }
    var idleness: Idleness? {
        let limit = inbox.readableBytes == 0 ? setup.settings.idleTimeout : setup.settings.headerTimeout
        return deadline.start(milliseconds: limit).map { Idleness(since: $0, isUsed: false) }
    }
    func closeIdle() { setup.channel.close(promise: nil) }
    func drain() { setup.channel.close(promise: nil) }
    func terminate() { setup.channel.close(promise: nil) }
}
