import NIOCore
import NIOEmbedded
import Testing
import Transport

@testable import Exchanges

/// Unchecked: used on one loop only, and read when that has ended.
private final class Sender: DeferredSender, @unchecked Sendable {
    var told = 0
    var onTold: () -> Void = {}
    func sendDeferred() {
        told += 1
        onTold()
    }
}

@Suite("What is sent at the end of a turn")
struct DeferredSendsTests {
    @Test("senders are told once for each call, in order, when the turn is over")
    func order() {
        let loop = EmbeddedEventLoop()
        let sends = DeferredSends(eventLoop: loop)
        let senders = [Sender(), Sender()]
        var order: [Int] = []
        for (index, sender) in senders.enumerated() { sender.onTold = { order.append(index) } }
        sends.add(senders[0])
        sends.add(senders[1])
        sends.add(senders[0])
        #expect(order.isEmpty)
        loop.run()
        #expect(order == [0, 1, 0])
        loop.run()
        #expect(order.count == 3)
    }

    @Test("what is added while others are told is told too")
    func addedMeanwhile() {
        let loop = EmbeddedEventLoop()
        let sends = DeferredSends(eventLoop: loop)
        let first = Sender()
        let second = Sender()
        first.onTold = { sends.add(second) }
        second.onTold = { [unowned second] in if second.told == 1 { sends.add(second) } }
        sends.add(first)
        loop.run()
        #expect(first.told == 1)
        #expect(second.told == 2)
    }

    @Test("who holds is told once the loop has nothing else to do")
    func hold() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let sender = Sender()
        let told = loop.makePromise(of: Int.self)
        loop.execute {
            DeferredSends(eventLoop: loop).hold(sender)
            // Three turns in each of which there is something to do.
            loop.execute { loop.execute { told.succeed(sender.told) } }
        }
        #expect(try await told.futureResult.get() == 0)
        try await group.shutdownGracefully()
        #expect(sender.told == 1)
    }

    @Test("who holds is told soon, however much there is to do")
    func busy() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let sender = Sender()
        let told = loop.makePromise(of: Void.self)
        @Sendable func again() {
            if sender.told == 0 { loop.execute(again) } else { told.succeed() }
        }
        loop.execute {
            DeferredSends(eventLoop: loop).hold(sender)
            again()
        }
        try await told.futureResult.get()
        try await group.shutdownGracefully()
    }
}
