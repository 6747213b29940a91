import Glibc
import NIOCore
import Testing

@testable import Transport

@Suite struct SocketChannelTests {
    private let much = ByteBuffer(repeating: 0x61, count: 16 << 20)

    @Test func aMessageGoesStraightIntoTheSocketAndArrives() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
        #expect(try await pair.onLoop { near.send(ByteBuffer(string: "one message")) } == 11)
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "one message"))
        try await pair.end()
    }

    @Test func aPromiseIsKeptBeforeTheFlushThatWritesItReturns() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
        let isKept = try await pair.onLoop {
            let kept = NIOLoopBoundBox(false, eventLoop: near.eventLoop)
            let written: EventLoopFuture<Void> = near.writeAndFlush(ByteBuffer(string: "one message"))
            written.whenSuccess { kept.value = true }
            return kept.value
        }
        #expect(isKept)
        try await pair.end()
    }

    @Test func nothingGoesAheadOfBytesThatAreStillToBeWritten() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let near = pair.near
        let much = much
        let refused = try await pair.onLoop {
            near.writeAndFlush(much, promise: nil)
            let sent = near.send(ByteBuffer(string: "last"))
            near.writeAndFlush(ByteBuffer(string: "last"), promise: nil)
            return (sent, near.isWritable)
        }
        #expect(refused == (0, false))
        try await pair.far.setOption(.autoRead, value: true).get()
        try await near.writeAndFlush(ByteBuffer()).get()
        #expect(try await pair.onLoop { near.isWritable && near.send(ByteBuffer(string: "!")) == 1 })
        try await near.close()
        let all = try await pair.received.get()
        #expect(all.readableBytes == much.readableBytes + 5)
        #expect(all.getString(at: all.writerIndex - 6, length: 6) == "alast!")
        try await pair.end()
    }

    @Test func severalMessagesOfOneFlushArriveInTheirOrderEmptyOnesAmongThem() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
        let expected = (0..<200).map { $0 % 7 == 0 ? "" : "\($0)," }
        try await near.eventLoop.flatSubmit {
            for text in expected { near.write(ByteBuffer(string: text), promise: nil) }
            return near.writeAndFlush(ByteBuffer())
        }.get()
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer(string: expected.joined()))
        try await pair.end()
    }

    @Test func anEmptyMessageIsWrittenOnlyAfterWhatStandsBeforeIt() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let near = pair.near
        let much = much
        let isWritten = NIOLoopBoundBox<Bool>.makeBoxSendingValue(false, eventLoop: near.eventLoop)
        let empty: EventLoopFuture<Void> = try await pair.onLoop {
            near.writeAndFlush(much, promise: nil)
            let empty: EventLoopFuture<Void> = near.writeAndFlush(ByteBuffer())
            empty.whenSuccess { isWritten.value = true }
            return empty
        }
        #expect(try await pair.onLoop { !isWritten.value })
        try await pair.far.setOption(.autoRead, value: true).get()
        try await empty.get()
        try await pair.end()
    }

    @Test func whatIsNotWrittenFailsWhenTheChannelCloses() async throws {
        let pair = try await ConnectedPair.make()
        let near = pair.near
        let never = near.eventLoop.makePromise(of: Void.self)
        near.write(ByteBuffer(string: "never"), promise: never)
        try await near.close()
        await #expect(throws: ChannelError.self) { try await never.futureResult.get() }
        await #expect(throws: ChannelError.self) { try await near.writeAndFlush(ByteBuffer(string: "late")).get() }
        await #expect(throws: ChannelError.self) { try await near.close().get() }
        #expect(try await pair.onLoop { near.send(ByteBuffer(string: "late")) } == 0)
        #expect(try await pair.received.get() == ByteBuffer())
        try await near.closeFuture.get()
        try await pair.end()
    }

    @Test func whatIsAskedOfAClosedChannelIsRefused() async throws {
        let pair = try await ConnectedPair.make()
        try await pair.near.close()
        await #expect(throws: ChannelError.ioOnClosedChannel) { try await pair.near.getOption(.autoRead).get() }
        await #expect(throws: ChannelError.ioOnClosedChannel) { try await pair.near.setOption(.autoRead, value: false).get() }
        try await pair.end()
    }

    @Test func theOutputIsClosedAfterTheLastByteAndTheInputStaysOpen() async throws {
        let pair = try await ConnectedPair.make(isRead: false, allowsHalfClosure: true)
        let (near, far) = (pair.near, pair.far)
        let much = much
        let closed = near.eventLoop.makePromise(of: Void.self)
        try await pair.onLoop {
            near.writeAndFlush(much, promise: nil)
            near.close(mode: .output, promise: closed)
            near.write(ByteBuffer(string: "late"), promise: nil)
        }
        try await far.setOption(.autoRead, value: true).get()
        try await closed.futureResult.get()
        try await pair.inputClosed.get()
        try await far.writeAndFlush(ByteBuffer(string: "answer")).get()
        try await far.close()
        let isWhole = try await pair.received.get() == much
        #expect(isWhole)
        try await near.closeFuture.get()
        try await pair.end()
    }

    @Test func anEndOfTheOtherSideIsToldWhereItMayBeHalf() async throws {
        let pair = try await ConnectedPair.make(allowsHalfClosure: true)
        let (near, far) = (pair.near, pair.far)
        try await near.writeAndFlush(ByteBuffer(string: "all")).get()
        try await near.close(mode: .output)
        try await pair.inputClosed.get()
        #expect(try await pair.onLoop { far.isActive })
        try await far.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "all"))
        #expect(try await pair.onLoop { pair.events.value } == ["active", "inputClosed", "inactive"])
        try await pair.end()
    }

    @Test func anEndOfTheOtherSideIsTheEndWhereItMayNotBeHalf() async throws {
        let pair = try await ConnectedPair.make()
        try await pair.near.writeAndFlush(ByteBuffer(string: "all")).get()
        try await pair.near.close(mode: .output)
        #expect(try await pair.received.get() == ByteBuffer(string: "all"))
        try await pair.far.closeFuture.get()
        try await pair.near.closeFuture.get()
        try await pair.end()
    }

    @Test func aResetEndsTheConnectionEvenWhereNobodyReads() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        try await pair.onLoop { [near = pair.near] in near.resetOnClose() }
        try await pair.near.close()
        _ = try await pair.received.get()
        try await pair.end()
    }

    @Test func whatArrivedBeforeTheConnectionBrokeIsRead() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let (near, far) = (pair.near, pair.far)
        try await near.writeAndFlush(ByteBuffer(string: "last words")).get()
        try await near.close()
        // The first answer makes the other side say that nobody listens, the ones after it fail.
        while far.isActive { far.writeAndFlush(ByteBuffer(repeating: 0, count: 100_000), promise: nil) }
        #expect(try await pair.received.get() == ByteBuffer(string: "last words"))
        try await pair.end()
    }

    /// What the far end of a pair was told, in order; it reads nothing unless it is asked to.
    private func told(by pair: ConnectedPair) async throws -> [String] {
        _ = try await pair.received.get()
        return try await pair.onLoop { pair.events.value }
    }

    @Test func aConnectionThatBreaksWhileNobodyReadsIsNoProperEnd() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let near = pair.near
        try await near.writeAndFlush(ByteBuffer(string: "half an answer")).get()
        try await pair.onLoop { near.resetOnClose() }
        try await near.close()
        #expect(try await told(by: pair).contains { $0.hasPrefix("error") })
        try await pair.end()
    }

    @Test func aConnectionThatBreaksWhileSomethingIsToBeWrittenIsNoProperEnd() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let (near, far) = (pair.near, pair.far)
        let much = much
        try await near.setOption(.autoRead, value: false).get()
        try await near.writeAndFlush(ByteBuffer(string: "half an answer")).get()
        try await pair.onLoop {
            far.writeAndFlush(much, promise: nil)
            near.resetOnClose()
            near.close(promise: nil)
            // The write meets the break before the kernel has told of it.
            _ = far.send(ByteBuffer(string: "x"))
        }
        #expect(try await told(by: pair).contains { $0.hasPrefix("error") })
        try await pair.end()
    }

    @Test func aProperEndIsToldOfThoughNobodyReads() async throws {
        let pair = try await ConnectedPair.make(isRead: false, allowsHalfClosure: true)
        let (near, far) = (pair.near, pair.far)
        try await near.writeAndFlush(ByteBuffer(string: "all")).get()
        try await near.close(mode: .output)
        try await pair.endIsNear.get()
        try await pair.onLoop { far.readToEnd() }
        try await pair.inputClosed.get()
        try await far.close()
        #expect(try await pair.received.get() == ByteBuffer(string: "all"))
        #expect(try await told(by: pair) == ["active", "endIsNear", "inputClosed", "inactive"])
        try await pair.end()
    }

    @Test func anEndBehindWhatNobodyReadsAnyLongerIsToldOf() async throws {
        let pair = try await ConnectedPair.make(isRead: false)
        let (near, far) = (pair.near, pair.far)
        let pieces = ByteBuffer(repeating: 0x61, count: 10_000)
        try await near.writeAndFlush(pieces).get()
        try await near.close(mode: .output)
        try await pair.endIsNear.get()
        // One piece is wanted, which is not all there is.
        try await pair.onLoop { far.read() }
        // It is read in one of the next turns.
        for _ in 0..<10 { try await pair.onLoop {} }
        #expect(try await pair.onLoop { pair.events.value } == ["active", "endIsNear", "endIsNear"])
        try await pair.end()
    }

    @Test func whatIsFlushedBeforeTheConnectionIsActiveIsWritten() async throws {
        let group = try SocketLoopGroup(count: 1)
        let listener = try await SocketListener.onLoopback(group, .init(allowsHalfClosure: false, readsAtOnce: 1)) { channel in
            channel.writeAndFlush(ByteBuffer(string: "early"), promise: nil)
            channel.close(mode: .output, promise: nil)
        }
        let near = try await listener.connection(on: group)
        // It ends only when the other side has closed its output.
        try await near.closeFuture.get()
        try await group.shutdownGracefully()
    }

    private final class Receiver: ByteReceiver, @unchecked Sendable {
        var pieces: [ByteBuffer] = []
        var ends = 0
        let isDone: EventLoopPromise<Void>
        let count: Int
        init(_ count: Int, _ isDone: EventLoopPromise<Void>) {
            self.count = count
            self.isDone = isDone
        }
        func received(_ bytes: inout ByteBuffer) {
            pieces.append(bytes)
            if pieces.reduce(0, { $0 + $1.readableBytes }) == count { isDone.succeed() }
        }
        func receivedAll() -> Bool {
            ends += 1
            return true
        }
    }

    @Test func aReceiverGetsTheBytesPastThePipelineAndMayKeepThem() async throws {
        let pair = try await ConnectedPair.make()
        let (near, far) = (pair.near, pair.far)
        let size = 1 << 20
        let receiver = Receiver(size, near.eventLoop.makePromise())
        try await pair.onLoop { far.receiver = receiver }
        let sent = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try await near.writeAndFlush(sent).get()
        try await receiver.isDone.futureResult.get()
        let read = try await pair.onLoop { receiver.pieces }
        let isWhole = read.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) } == sent
        #expect(isWhole)
        #expect(read.allSatisfy { $0.readableBytes <= 65_536 })
        #expect(try await pair.onLoop { receiver.ends > 0 })
        try await pair.onLoop { far.receiver = nil }
        try await near.close()
        #expect(try await pair.received.get() == ByteBuffer())
        try await pair.end()
    }

    @Test func connectingTellsWhyItFailed() async throws {
        let group = try SocketLoopGroup(count: 1)
        let options = ConnectionOptions(allowsHalfClosure: false, readsAtOnce: 1)
        let listener = try await SocketListener.onLoopback(group, options) { _ in }
        let address = try #require(listener.localAddress)
        try await listener.close()
        let refused = await #expect(throws: IOError.self) {
            try await SocketChannel.connect(to: address, on: group.next(), within: .hours(1), options: options).get()
        }
        #expect(refused?.errnoCode == ECONNREFUSED)
        let nowhere = await #expect(throws: IOError.self) {
            try await SocketChannel.connect(
                to: SocketAddress(unixDomainSocketPath: "/nonexistent/socket"), on: group.next(), within: .hours(1), options: options
            ).get()
        }
        #expect(nowhere?.errnoCode == ENOENT)
        try await group.shutdownGracefully()
    }

    @Test func connectingEndsWithItsLimit() async throws {
        let group = try SocketLoopGroup(count: 1)
        let options = ConnectionOptions(allowsHalfClosure: false, readsAtOnce: 1)
        // Nobody accepts: the queue has room for one, and what comes after it is not answered.
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let descriptor = try Sockets.open(for: address)
        defer { Glibc.close(descriptor) }
        try Sockets.listen(descriptor, at: address, backlog: 0)
        let full = try #require(Sockets.localAddress(of: descriptor))
        let attempts = (0..<4).map { _ in
            SocketChannel.connect(to: full, on: group.next(), within: .milliseconds(100), options: options)
        }
        var failures = 0
        for attempt in attempts {
            do { _ = try await attempt.get() } catch ChannelError.connectTimeout { failures += 1 }
        }
        #expect(failures > 0)
        try await group.shutdownGracefully()
    }
}
