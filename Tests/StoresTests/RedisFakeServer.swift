import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that answers each read with bytes of the test's choice.
final class RedisFakeServer: Sendable {
    typealias Answer = @Sendable ([UInt8]) -> [UInt8]

    let port: Int
    private let channel: any Channel
    private let state: State

    private final class State: Sendable {
        let answer: Mutex<Answer>
        let connections = Mutex(0)
        init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }
    }

    private final class Handler: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let state: State
        init(_ state: State) { self.state = state }

        func channelActive(context: ChannelHandlerContext) { state.connections.withLock { $0 += 1 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            let answer = state.answer.withLock { $0 }(bytes)
            if answer == [0] { return context.close(promise: nil) }
            context.channel.writeAndFlush(ByteBuffer(bytes: answer), promise: nil)
        }
    }

    /// An answer of one zero byte closes the connection.
    init(_ answer: @escaping Answer) async throws {
        let state = State(answer)
        self.state = state
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(state)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    var connections: Int { state.connections.withLock { $0 } }

    func setAnswer(_ answer: @escaping Answer) { state.answer.withLock { $0 = answer } }

    func close() { channel.close(promise: nil) }

    /// How many commands these bytes hold.
    static func commands(in bytes: [UInt8]) -> Int {
        var count = 0
        var isLineStart = true
        for byte in bytes {
            if isLineStart, byte == UInt8(ascii: "*") { count += 1 }
            isLineStart = byte == UInt8(ascii: "\n")
        }
        return count
    }
}
