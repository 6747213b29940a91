import NIOEmbedded
import Testing

@testable import Server

private final class Sender: DeferredSender {
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
}
