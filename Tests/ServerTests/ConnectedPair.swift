import NIOCore
import NIOPosix

/// Two ends of a connection on loopback, with real sockets.
struct ConnectedPair {
    let near: any Channel
    let far: any Channel
    /// All that arrived at the far end, once the near end has closed.
    let received: EventLoopFuture<ByteBuffer>

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let arrived: NIOLoopBoundBox<ByteBuffer>
        private let done: EventLoopPromise<ByteBuffer>

        init(_ loop: any EventLoop, _ done: EventLoopPromise<ByteBuffer>) {
            arrived = NIOLoopBoundBox(ByteBuffer(), eventLoop: loop)
            self.done = done
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            arrived.value.writeBuffer(&bytes)
        }

        func channelInactive(context: ChannelHandlerContext) { done.succeed(arrived.value) }
    }

    /// The far end reads only when `isRead`.
    static func make(isRead: Bool = true) async throws -> ConnectedPair {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let received = loop.makePromise(of: ByteBuffer.self)
        let accepted = loop.makePromise(of: (any Channel).self)
        let listener = try await ServerBootstrap(group: loop)
            .childChannelOption(.autoRead, value: isRead)
            .childChannelInitializer { channel in
                accepted.succeed(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(channel.eventLoop, received))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let near = try await ClientBootstrap(group: loop).connect(to: listener.localAddress!).get()
        let far = try await accepted.futureResult.get()
        try await listener.close()
        return ConnectedPair(near: near, far: far, received: received.futureResult)
    }
}
