import Exchanges
import HTTPWire
import NIOCore

/// Reads the PROXY protocol header of a connection, then makes the rest of the pipeline and goes.
///
/// It stands first, below TLS: the header comes before everything else. Until it is complete nothing is made for the connection.
final class ProxyProtocolHandler: ChannelInboundHandler, RemovableChannelHandler, DeadlineOwner {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let wheel: DeadlineWheel
    private let limit: Int64
    /// Makes the pipeline for a connection of this client; nil: of the proxy itself.
    private let proceed: (ProxyProtocolHeader.Source?) throws -> Void
    /// Called instead of `proceed` when the connection ends before; the reason is nil when the peer just went.
    private let abandon: (ConnectionRefusal?) -> Void
    private let deadline = Deadline()
    private var context: ChannelHandlerContext?
    private var inbox = ByteBuffer()
    private var isDone = false

    /// `limit`: milliseconds until the header must be there.
    init(
        wheel: DeadlineWheel, limit: Int64, proceed: @escaping (ProxyProtocolHeader.Source?) throws -> Void,
        abandon: @escaping (ConnectionRefusal?) -> Void
    ) {
        self.wheel = wheel
        self.limit = limit
        self.proceed = proceed
        self.abandon = abandon
        deadline.owner = self
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wheel.set(deadline, milliseconds: limit)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        wheel.cancel(deadline)
        self.context = nil
        if !isDone {
            isDone = true
            abandon(nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if isDone { return context.fireChannelRead(data) }
        inbox.writeBuffer(&bytes)
        // A release build takes no span of a property of an object (docs/decisions/0036-memory-safety.md).
        let received = inbox
        let header: ProxyProtocolHeader?
        do throws(ProxyProtocolError) {
            header = try ProxyProtocolHeader.parse(received.byteSpan)
        } catch {
            return close(context, .proxyProtocol(error))
        }
        if let header { finish(context, header) }
    }

    private func finish(_ context: ChannelHandlerContext, _ header: ProxyProtocolHeader) {
        isDone = true
        wheel.cancel(deadline)
        inbox.moveReaderIndex(forwardBy: header.length)
        do {
            try proceed(header.source)
        } catch {
            return context.close(promise: nil)
        }
        // The handlers that were added have not seen the connection begin.
        context.fireChannelActive()
        if inbox.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(inbox))
            context.fireChannelReadComplete()
        }
        inbox = ByteBuffer()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func close(_ context: ChannelHandlerContext, _ reason: ConnectionRefusal) {
        isDone = true
        abandon(reason)
        context.close(promise: nil)
    }

    func channelActive(context: ChannelHandlerContext) {
        // Told to the others once they are there.
    }

    func deadlineExpired() {
        guard let context, !isDone else { return }
        close(context, .proxyProtocol(.noHeader))
    }
}
