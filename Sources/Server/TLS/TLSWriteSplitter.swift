import NIOCore

/// Hands TLS what one record holds at a time. It stands right behind `NIOSSLServerHandler`.
///
/// The library encrypts all that is flushed at once into one buffer, and keeps that buffer for as long as the connection lives: a
/// connection that had sent 100 KiB held 122 KiB while it was idle. A flush for each record lets the buffer stay at 16 KiB.
final class TLSWriteSplitter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Fits the library's first buffer, 16 KiB, together with what a dozen records add.
    private static let limit = 16_000

    private var unflushed = 0
    /// A flush may make the channel writable, and more may be written in the middle of a large write.
    private var isSplitting = false
    private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var isFlushWaiting = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        if isSplitting { return waiting.append((bytes, promise)) }
        let count = bytes.readableBytes
        guard unflushed + count > Self.limit else {
            unflushed += count
            return context.write(data, promise: promise)
        }
        split(bytes, promise, context)
    }

    func flush(context: ChannelHandlerContext) {
        if isSplitting { return isFlushWaiting = true }
        unflushed = 0
        context.flush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
    }

    private func split(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        isSplitting = true
        writeRecords(bytes, promise, context)
        var index = 0
        while index < waiting.count {
            let (bytes, promise) = waiting[index]
            index += 1
            writeRecords(bytes, promise, context)
        }
        waiting.removeAll()
        isSplitting = false
        if isFlushWaiting {
            isFlushWaiting = false
            flush(context: context)
        }
    }

    /// The last part waits for the flush that is still to come.
    private func writeRecords(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        var rest = bytes
        while unflushed + rest.readableBytes > Self.limit {
            if let part = rest.readSlice(length: Self.limit - unflushed), part.readableBytes > 0 {
                context.write(wrapOutboundOut(part), promise: nil)
            }
            unflushed = 0
            context.flush()
        }
        unflushed += rest.readableBytes
        context.write(wrapOutboundOut(rest), promise: promise)
    }
}
