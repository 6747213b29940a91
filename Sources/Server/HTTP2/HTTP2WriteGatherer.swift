import NIOCore

/// Puts the small frames of one flush into one write: under TLS each write is a record, with a header and a tag of its own.
final class HTTP2WriteGatherer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The payload of the largest TLS record (RFC 8446 section 5.1).
    private static let recordLength = 16 * 1024
    /// The longest buffer that is copied.
    private static let smallLength = 8 * 1024

    private var gathered = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        let count = bytes.readableBytes
        if count > Self.smallLength || gathered.readableBytes + count > Self.recordLength { pass(context) }
        guard count <= Self.smallLength else { return context.write(data, promise: promise) }
        gathered.writeImmutableBuffer(bytes)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        pass(context)
        context.flush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard gathered.readableBytes > 0 || !promises.isEmpty else { return }
        let bytes = gathered
        let promises = self.promises
        gathered = ByteBuffer()
        self.promises = []
        var promise = promises.first
        if promises.count > 1 {
            let all = context.eventLoop.makePromise(of: Void.self)
            all.futureResult.whenComplete { result in for one in promises { one.completeWith(result) } }
            promise = all
        }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}
