import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Transport

@Suite struct SocketLoopTests {
    @Test func tasksRunInTheOrderInWhichTheyWereGiven() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let ran = NIOLoopBoundBox<[Int]>.makeBoxSendingValue([], eventLoop: loop)
        for index in 0..<100 {
            loop.execute {
                ran.value.append(index)
                loop.execute { ran.value.append(1_000 + index) }
            }
        }
        let all = try await loop.submit { ran.value.filter { $0 < 1_000 } }.get()
        #expect(all == Array(0..<100))
        #expect(try await loop.submit { ran.value.filter { $0 >= 1_000 } }.get() == Array(1_000..<1_100))
        try await group.shutdownGracefully()
    }

    @Test func aTaskThatLeavesAnotherEachTimeDoesNotKeepTheOthersWaiting() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let isOver = NIOLoopBoundBox<Bool>.makeBoxSendingValue(false, eventLoop: loop)
        @Sendable func again() { if !isOver.value { loop.execute(again) } }
        loop.execute(again)
        try await loop.scheduleTask(in: .milliseconds(1)) { isOver.value = true }.futureResult.get()
        try await group.shutdownGracefully()
    }

    @Test func scheduledTasksRunAtTheirTimeOrNotAtAll() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let ran = NIOLoopBoundBox<[String]>.makeBoxSendingValue([], eventLoop: loop)
        let start = NIODeadline.now()
        // On the loop, which runs none of them meanwhile.
        let (late, cancelled, early) = try await loop.submit {
            let late = loop.scheduleTask(in: .milliseconds(30)) { ran.value.append("late") }
            let cancelled = loop.scheduleTask(in: .milliseconds(20)) { ran.value.append("cancelled") }
            let early = loop.scheduleTask(in: .milliseconds(10)) { ran.value.append("early") }
            cancelled.cancel()
            return (late, cancelled, early)
        }.get()
        try await late.futureResult.get()
        #expect(NIODeadline.now() - start >= .milliseconds(30))
        try await early.futureResult.get()
        await #expect(throws: EventLoopError.cancelled) { try await cancelled.futureResult.get() }
        #expect(try await loop.submit { ran.value }.get() == ["early", "late"])
        let failed = loop.scheduleTask(in: .zero) { throw ChannelError.eof }
        await #expect(throws: ChannelError.eof) { try await failed.futureResult.get() }
        try await group.shutdownGracefully()
    }

    /// The Thread Sanitizer reports the race, if there is one.
    @Test func otherThreadsMayAskForTheLoopWhileItEnds() async throws {
        for _ in 0..<20 {
            let group = try SocketLoopGroup(count: 1)
            let loop = group.loops[0]
            let isOver = NIOLockedValueBox(false)
            async let answers = Task.detached {
                var wasOnLoop = false
                while !isOver.withLockedValue({ $0 }) { wasOnLoop = loop.inEventLoop || wasOnLoop }
                return wasOnLoop
            }.value
            #expect(try await loop.submit { loop.inEventLoop }.get())
            try await group.shutdownGracefully()
            isOver.withLockedValue { $0 = true }
            #expect(await !answers)
        }
    }

    @Test func whatWaitsForItsTimeAtTheEndFails() async throws {
        let group = try SocketLoopGroup(count: 1)
        let outcome = NIOLockedValueBox<(any Error)?>(nil)
        group.loops[0].scheduleTask(in: .hours(1)) {}.futureResult.whenFailure { error in outcome.withLockedValue { $0 = error } }
        try await group.shutdownGracefully()
        #expect(outcome.withLockedValue { $0 } as? EventLoopError == .shutdown)
    }

    @Test func itsConnectionsEndWithIt() async throws {
        let pair = try await ConnectedPair.make()
        let closed = NIOLockedValueBox(0)
        for channel in [pair.near, pair.far] { channel.closeFuture.whenSuccess { closed.withLockedValue { $0 += 1 } } }
        try await pair.end()
        #expect(closed.withLockedValue { $0 } == 2)
    }

    @Test func aLoopThatHasEndedAnswersAllTheSame() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        try await group.shutdownGracefully()
        try await group.shutdownGracefully()
        #expect(!loop.leave {})
    }

    @Test func whatBeginsWhileALoopEndsIsRefused() async throws {
        let pair = try await ConnectedPair.make()
        let (near, loop) = (pair.near, pair.group.loops[0])
        let refused = NIOLockedValueBox(0)
        let address = try #require(near.remoteAddress)
        near.closeFuture.whenSuccess {
            let again = SocketChannel.connect(
                to: address, on: loop, within: .hours(1), options: .init(allowsHalfClosure: false, readsAtOnce: 1))
            again.whenFailure { _ in refused.withLockedValue { $0 += 1 } }
            loop.scheduleTask(in: .hours(1)) {}.futureResult.whenFailure { _ in refused.withLockedValue { $0 += 1 } }
        }
        try await pair.end()
        #expect(refused.withLockedValue { $0 } == 2)
    }

    @Test func aLoopKnowsWhetherItIsAskedOnItself() async throws {
        let group = try SocketLoopGroup(count: 2)
        let loops = group.loops
        #expect(!loops[0].inEventLoop)
        #expect(try await loops[0].submit { loops[0].inEventLoop && !loops[1].inEventLoop }.get())
        try await group.shutdownGracefully()
    }
}
