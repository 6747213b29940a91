import NIOCore
import Testing

@testable import Transport

/// Two ends of a connection on loopback, on one loop of their own.
struct ConnectedPair {
    let group: SocketLoopGroup
    let near: SocketChannel
    let far: SocketChannel
    /// All that arrived at the far end, once that has closed.
    let received: EventLoopFuture<ByteBuffer>
    /// The far end has read the near end's last byte, and may still write.
    let inputClosed: EventLoopFuture<Void>
    /// The far end was told of the end before it has read it.
    let endIsNear: EventLoopFuture<Void>
    /// What the far end was told beside bytes, in order.
    let events: NIOLoopBoundBox<[String]>

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let arrived: NIOLoopBoundBox<ByteBuffer>
        private let events: NIOLoopBoundBox<[String]>
        private let done: EventLoopPromise<ByteBuffer>
        private let inputClosed: EventLoopPromise<Void>
        private let endIsNear: EventLoopPromise<Void>

        init(
            _ loop: any EventLoop, _ events: NIOLoopBoundBox<[String]>, _ done: EventLoopPromise<ByteBuffer>,
            _ inputClosed: EventLoopPromise<Void>, _ endIsNear: EventLoopPromise<Void>
        ) {
            self.endIsNear = endIsNear
            self.inputClosed = inputClosed
            arrived = NIOLoopBoundBox(ByteBuffer(), eventLoop: loop)
            self.events = events
            self.done = done
        }

        func channelActive(context: ChannelHandlerContext) { events.value.append("active") }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            arrived.value.writeBuffer(&bytes)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            events.value.append("\(event)")
            if event as? ChannelEvent == .inputClosed { inputClosed.succeed() }
            if event is SocketEvent { endIsNear.succeed() }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { events.value.append("error \(error)") }

        func channelInactive(context: ChannelHandlerContext) {
            events.value.append("inactive")
            inputClosed.fail(ChannelError.eof)
            endIsNear.fail(ChannelError.eof)
            done.succeed(arrived.value)
        }
    }

    /// The far end reads only when `isRead`, and stays open after the near one's end when it `allowsHalfClosure`.
    static func make(isRead: Bool = true, allowsHalfClosure: Bool = false) async throws -> ConnectedPair {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let received = loop.makePromise(of: ByteBuffer.self)
        let inputClosed = loop.makePromise(of: Void.self)
        let endIsNear = loop.makePromise(of: Void.self)
        let accepted = loop.makePromise(of: SocketChannel.self)
        let events = NIOLoopBoundBox<[String]>.makeBoxSendingValue([], eventLoop: loop)
        let listener = try await SocketListener.onLoopback(group, .init(allowsHalfClosure: allowsHalfClosure, readsAtOnce: 1)) { channel in
            try channel.syncOptions?.setOption(.autoRead, value: isRead)
            try channel.pipeline.syncOperations.addHandler(Collector(loop, events, received, inputClosed, endIsNear))
            accepted.succeed(channel)
        }
        let near = try await SocketChannel.connect(
            to: #require(listener.localAddress), on: loop, within: .hours(1), options: .init(allowsHalfClosure: false, readsAtOnce: 4)
        ).get()
        let far = try await accepted.futureResult.get()
        try await listener.close()
        return ConnectedPair(
            group: group, near: try #require(near as? SocketChannel), far: far, received: received.futureResult,
            inputClosed: inputClosed.futureResult, endIsNear: endIsNear.futureResult, events: events)
    }

    func end() async throws { try await group.shutdownGracefully() }

    /// Runs it on the loop of both ends.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await near.eventLoop.submit(body).get()
    }
}

extension SocketListener {
    /// On a port of the system's choice.
    static func onLoopback(_ group: SocketLoopGroup, _ options: ConnectionOptions, prepare: @escaping Preparation) async throws
        -> SocketListener
    {
        try await open(
            at: SocketAddress(ipAddress: "127.0.0.1", port: 0), backlog: 64, on: group, options: options, onFailure: { _, _ in },
            prepare: prepare)
    }

    /// A new connection to it, on the group's first loop, that ends with either half of it.
    func connection(on group: SocketLoopGroup) async throws -> any Channel {
        try await SocketChannel.connect(
            to: #require(localAddress), on: group.loops[0], within: .hours(1), options: .init(allowsHalfClosure: false, readsAtOnce: 1)
        ).get()
    }
}
