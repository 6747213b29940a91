import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import Server

@Suite("Writing straight into a socket")
struct DirectOutputTests {
    /// What arrives at the far end, all of it, once the near end has closed.
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

    /// A connected pair on loopback; the far end reads only when `isRead`.
    private func connected(isRead: Bool = true) async throws -> (near: any Channel, far: any Channel, received: EventLoopFuture<ByteBuffer>)
    {
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
        return (near, far, received.futureResult)
    }

    @Test("a message is taken whole and arrives")
    func whole() async throws {
        let (near, _, received) = try await connected()
        let sent = try await near.eventLoop.submit {
            var output = DirectOutput(near)
            return output?.send(ByteBuffer(string: "one message"))
        }.get()
        #expect(sent == 11)
        try await near.close()
        #expect(try await received.get() == ByteBuffer(string: "one message"))
    }

    @Test("nothing goes ahead of bytes that the channel still has to write")
    func order() async throws {
        let (near, far, received) = try await connected(isRead: false)
        let much = ByteBuffer(repeating: 0x61, count: 16 << 20)
        let refused = try await near.eventLoop.submit {
            var output = DirectOutput(near)
            output?.noteQueued()
            near.writeAndFlush(much, promise: nil)
            let message = ByteBuffer(string: "last")
            let sent = output?.send(message)
            near.writeAndFlush(message, promise: nil)
            return sent
        }.get()
        #expect(refused == 0)
        try await far.setOption(.autoRead, value: true).get()
        try await near.writeAndFlush(ByteBuffer()).get()
        try await near.close()
        let all = try await received.get()
        #expect(all.readableBytes == much.readableBytes + 4)
        #expect(all.getString(at: all.writerIndex - 5, length: 5) == "alast")
    }

    @Test("once the channel has written everything, messages go straight again")
    func again() async throws {
        let (near, _, _) = try await connected()
        let output = NIOLoopBoundBox<DirectOutput?>.makeBoxSendingValue(nil, eventLoop: near.eventLoop)
        try await near.eventLoop.submit {
            output.value = DirectOutput(near)
            output.value?.noteQueued()
        }.get()
        try await near.writeAndFlush(ByteBuffer(string: "through the channel")).get()
        #expect(try await near.eventLoop.submit { output.value?.send(ByteBuffer(string: "x")) }.get() == 1)
        try await near.close()
    }

    @Test("a channel that has closed takes nothing, whoever has its descriptor now")
    func closed() async throws {
        let (near, _, _) = try await connected()
        let sent = try await near.eventLoop.submit {
            var output = DirectOutput(near)
            near.close(promise: nil)
            return output?.send(ByteBuffer(string: "too late"))
        }.get()
        #expect(sent == 0)
    }

    @Test("a channel without a socket is left to itself")
    func embedded() { #expect(DirectOutput(EmbeddedChannel()) == nil) }
}
