import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("Writing below TLS")
struct DirectWriterTests {
    private func pair(isRead: Bool = true) async throws -> ConnectedPair {
        let pair = try await ConnectedPair.make(isRead: isRead)
        try await pair.near.eventLoop.submit { [near = pair.near] in
            try near.pipeline.syncOperations.addHandler(DirectWriter())
        }.get()
        return pair
    }

    @Test("a flushed message arrives, and its promise is kept before the flush returns")
    func whole() async throws {
        let pair = try await pair()
        let near = pair.near
        let isKept = try await near.eventLoop.submit {
            let promise = near.eventLoop.makePromise(of: Void.self)
            let kept = NIOLoopBoundBox(false, eventLoop: near.eventLoop)
            promise.futureResult.whenSuccess { kept.value = true }
            near.writeAndFlush(ByteBuffer(string: "one message"), promise: promise)
            return kept.value
        }.get()
        #expect(isKept)
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "one message"))
    }

    @Test("several messages of one flush arrive in their order, empty ones among them")
    func several() async throws {
        let pair = try await pair()
        let near = pair.near
        try await near.eventLoop.flatSubmit {
            for text in ["a", "b", "", "c"] { near.write(ByteBuffer(string: text), promise: nil) }
            near.flush()
            near.write(ByteBuffer(string: "d"), promise: nil)
            return near.writeAndFlush(ByteBuffer())
        }.get()
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "abcd"))
    }

    @Test("what the socket does not take waits in the channel, and what comes later waits behind it")
    func full() async throws {
        let pair = try await pair(isRead: false)
        let near = pair.near
        let count = 16 << 20
        let first = near.eventLoop.makePromise(of: Void.self)
        let isWritable = try await near.eventLoop.submit {
            near.writeAndFlush(ByteBuffer(repeating: 0x61, count: count), promise: first)
            near.writeAndFlush(ByteBuffer(string: "last"), promise: nil)
            return near.isWritable
        }.get()
        #expect(!isWritable, "the pipeline hears of it")
        try await pair.far.setOption(.autoRead, value: true).get()
        try await first.futureResult.get()
        try await near.writeAndFlush(ByteBuffer()).get()
        try await near.close()
        let all = try await pair.received.get()
        #expect(all.readableBytes == count + 4)
        #expect(all.getString(at: all.writerIndex - 5, length: 5) == "alast")
    }

    @Test("what was never flushed fails when the channel closes, and is not sent")
    func unflushed() async throws {
        let pair = try await pair()
        let near = pair.near
        let promise = near.eventLoop.makePromise(of: Void.self)
        near.write(ByteBuffer(string: "never"), promise: promise)
        try await near.close()
        await #expect(throws: ChannelError.self) { try await promise.futureResult.get() }
        #expect(try await pair.received.get() == ByteBuffer())
    }

    @Test("a closed socket is told to whoever writes")
    func closed() async throws {
        let pair = try await pair()
        let near = pair.near
        try await near.close()
        await #expect(throws: ChannelError.self) { try await near.writeAndFlush(ByteBuffer(string: "late")).get() }
    }

    @Test("a channel without a socket writes by itself")
    func embedded() throws {
        let channel = EmbeddedChannel(handler: DirectWriter())
        channel.write(ByteBuffer(string: "a"), promise: nil)
        channel.writeAndFlush(ByteBuffer(string: "b"), promise: nil)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "a"))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "b"))
    }
}
