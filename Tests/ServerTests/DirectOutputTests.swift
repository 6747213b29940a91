import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("Writing straight into a socket")
struct DirectOutputTests {
    @Test("a message is taken whole and arrives")
    func whole() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
        let sent = try await near.eventLoop.submit {
            var output = DirectOutput(near)
            return output?.send(ByteBuffer(string: "one message"))
        }.get()
        #expect(sent == 11)
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "one message"))
    }

    @Test("nothing goes ahead of bytes that the channel still has to write")
    func order() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let near = pair.near
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
        try await pair.far.setOption(.autoRead, value: true).get()
        try await near.writeAndFlush(ByteBuffer()).get()
        try await near.close()
        let all = try await pair.received.get()
        #expect(all.readableBytes == much.readableBytes + 4)
        #expect(all.getString(at: all.writerIndex - 5, length: 5) == "alast")
    }

    @Test("once the channel has written everything, messages go straight again")
    func again() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
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
        let pair = try await ConnectedPair.make()
        let near = pair.near
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
