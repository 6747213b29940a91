package import NIOCore

/// Stands first in a pipeline, below TLS or HTTP/2, and writes what a flush leaves over straight into the socket (`DirectOutput`).
///
/// The last message before a flush is kept back; one that comes behind it goes to the channel, so a flush of several is one system call.
package final class DirectWriter: ChannelOutboundHandler {
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private var output: DirectOutput?
    /// `output` is there. Asking itself would copy it, for each write.
    private var isDirect = false
    private var context: ChannelHandlerContext?
    /// Written and not flushed.
    private var kept: (bytes: ByteBuffer, promise: EventLoopPromise<Void>?)?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        output = DirectOutput(context.channel)
        isDirect = output != nil
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        output = nil
        isDirect = false
        kept?.promise?.fail(ChannelError.ioOnClosedChannel)
        kept = nil
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isDirect else { return context.write(data, promise: promise) }
        passOn(context)
        kept = (unwrapOutboundIn(data), promise)
    }

    package func flush(context: ChannelHandlerContext) {
        guard let (bytes, promise) = kept.take() else { return context.flush() }
        let sent = output?.send(bytes) ?? 0
        if sent == bytes.readableBytes, sent > 0 {
            promise?.succeed()
        } else {
            var rest = bytes
            rest.moveReaderIndex(forwardBy: sent)
            output?.noteQueued()
            context.writeAndFlush(wrapOutboundOut(rest), promise: promise)
        }
    }

    /// Asks for bytes past the handlers in between, for whom a wish to read has no meaning.
    package func read() { if isDirect { output?.read() } else { context?.read() } }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // What was never flushed is the channel's to drop, or to write first.
        passOn(context)
        context.close(mode: mode, promise: promise)
    }

    private func passOn(_ context: ChannelHandlerContext) {
        guard let (bytes, promise) = kept.take() else { return }
        output?.noteQueued()
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}

extension ChannelHandlerContext {
    /// Asks for bytes the shortest way there is: of the channel itself, from where the connection writes, else through the pipeline.
    @inline(__always)
    package func read(past direct: inout DirectOutput?, _ bottom: DirectWriter?) {
        if let bottom {
            bottom.read()
        } else if direct?.read() == nil {
            read()
        }
    }
}
