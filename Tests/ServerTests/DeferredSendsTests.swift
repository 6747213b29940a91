import NIOCore
import Testing
import Transport

@testable import Server

@Suite("Sending at the end of a turn")
struct DeferredSendsTests {
    private final class Sender: DeferredSender, @unchecked Sendable {
        var sent: [String] = []
        func sendDeferred() { sent.append("sent") }
    }

    @Test("who adds is told when the turn ends, in order and once for each call")
    func add() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let sender = Sender()
        let duringTheTurn = try await loop.submit {
            let sends = DeferredSends(eventLoop: loop)
            sends.add(sender)
            sends.add(sender)
            return sender.sent.count
        }.get()
        #expect(duringTheTurn == 0)
        #expect(try await loop.submit { sender.sent.count }.get() == 2)
        try await group.shutdownGracefully()
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
            loop.execute { loop.execute { told.succeed(sender.sent.count) } }
        }
        #expect(try await told.futureResult.get() == 0)
        try await group.shutdownGracefully()
        #expect(sender.sent.count == 1)
    }

    @Test("who holds is told soon, however much there is to do")
    func busy() async throws {
        let group = try SocketLoopGroup(count: 1)
        let loop = group.loops[0]
        let sender = Sender()
        let told = loop.makePromise(of: Void.self)
        @Sendable func again() {
            if sender.sent.isEmpty { loop.execute(again) } else { told.succeed() }
        }
        loop.execute {
            DeferredSends(eventLoop: loop).hold(sender)
            again()
        }
        try await told.futureResult.get()
        try await group.shutdownGracefully()
    }
}
