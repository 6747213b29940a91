import Synchronization
import Testing

@testable import Proxy

@Suite("A target's connections")
struct ConnectionLimitTests {
    /// Requests of two pools, and what they are granted.
    private final class Queue {
        let limit: ConnectionLimit
        private let pools = [Pool(), Pool()]
        private let slots = Slots()

        private final class Pool {}
        /// Granted on any thread, so locked.
        private final class Slots: Sendable {
            let granted = Mutex<[(number: UInt64, slot: ConnectionSlot)]>([])
        }

        init(most: Int) { limit = ConnectionLimit(most: most) }

        func id(_ pool: Int) -> ObjectIdentifier { ObjectIdentifier(pools[pool]) }

        func enqueue(of pool: Int = 0, takesStream: Bool = true) -> (number: UInt64, outcome: ConnectionLimit.Outcome) {
            let number = limit.makeNumber()
            let entry = ConnectionLimit.Entry(number: number, pool: id(pool), takesStream: takesStream) { [slots] slot in
                slots.granted.withLock { $0.append((number, slot)) }
            }
            return (number, limit.acquire(entry))
        }

        func wait(of pool: Int = 0, takesStream: Bool = true) -> UInt64 {
            let (number, outcome) = enqueue(of: pool, takesStream: takesStream)
            if case .queued = outcome {} else { Issue.record("not queued") }
            return number
        }

        var granted: [UInt64] { slots.granted.withLock { $0.map(\.number) } }
        func releaseGranted() {
            for (_, slot) in slots.granted.withLock({ granted in granted }) { slot.release() }
        }
    }

    @Test("no more slots are given than there may be connections, and each comes back once")
    func counts() throws {
        let limit = ConnectionLimit(most: 2)
        let first = try #require(limit.tryAcquire())
        var second = limit.tryAcquire()
        #expect(second != nil && limit.tryAcquire() == nil)
        first.release()
        first.release()
        let third = limit.tryAcquire()
        #expect(third != nil && limit.tryAcquire() == nil)
        // A slot that nobody holds any more is free.
        second = nil
        let fourth = limit.tryAcquire()
        #expect(fourth != nil)
        _ = (second, third, fourth)
    }

    @Test("a freed connection goes to the request that has waited longest, ahead of any new one")
    func order() throws {
        let queue = Queue(most: 1)
        let slot = try #require(queue.limit.tryAcquire())
        let first = queue.wait(of: 0)
        let second = queue.wait(of: 1)
        #expect(queue.limit.hasWaiting)
        slot.release()
        #expect(queue.granted == [first])
        #expect(queue.limit.tryAcquire() == nil)
        queue.releaseGranted()
        #expect(queue.granted == [first, second] && !queue.limit.hasWaiting)
    }

    @Test("a request that leaves the queue is granted nothing")
    func leaving() throws {
        let queue = Queue(most: 1)
        let slot = try #require(queue.limit.tryAcquire())
        let first = queue.wait()
        let second = queue.wait()
        queue.limit.cancel(first)
        queue.limit.cancel(first)
        slot.release()
        #expect(queue.granted == [second])
    }

    @Test("the queue is bounded")
    func bound() throws {
        let queue = Queue(most: 1)
        let slot = try #require(queue.limit.tryAcquire())
        for _ in 0..<ConnectionLimit.queueLimit { _ = queue.wait() }
        guard case .refused = queue.enqueue().outcome else { return #expect(Bool(false), "one too many was queued") }
        slot.release()
        #expect(queue.granted.count == 1)
    }

    @Test("an unused connection serves its own event loop first, but the others come to their turn")
    func handovers() throws {
        let queue = Queue(most: 1)
        let slot = try #require(queue.limit.tryAcquire())
        #expect(queue.limit.handOver(by: queue.id(0)) == .keep)
        let elsewhere = queue.wait(of: 1)
        let own = (0..<(ConnectionLimit.mostHandoversInARow + 5)).map { _ in queue.wait(of: 0) }
        for number in own.prefix(ConnectionLimit.mostHandoversInARow) {
            #expect(queue.limit.handOver(by: queue.id(0)) == .serve(number))
        }
        #expect(queue.limit.handOver(by: queue.id(0)) == .close)
        slot.release()
        #expect(queue.granted == [elsewhere])
        // Nobody of the other pool waits now, so nothing is owed to it.
        for number in own.dropFirst(ConnectionLimit.mostHandoversInARow) {
            #expect(queue.limit.handOver(by: queue.id(0)) == .serve(number))
        }
        #expect(queue.limit.handOver(by: queue.id(0)) == .keep)
    }

    @Test("a stream serves requests of its own event loop that can use one")
    func streams() throws {
        let queue = Queue(most: 1)
        let slot = try #require(queue.limit.tryAcquire())
        _ = queue.wait(of: 1)
        _ = queue.wait(of: 0, takesStream: false)
        let number = queue.wait(of: 0)
        #expect(queue.limit.nextForStream(of: queue.id(0)) == number)
        #expect(queue.limit.nextForStream(of: queue.id(0)) == nil)
        _ = slot
    }

    @Test("the other pools are asked for unused connections when the first request waits")
    func surveys() throws {
        let queue = Queue(most: 1)
        let asked = Asked()
        for pool in 0...1 { queue.limit.register(queue.id(pool)) { asked.pools.withLock { $0.append(pool) } } }
        let slot = try #require(queue.limit.tryAcquire())
        _ = queue.wait(of: 0)
        _ = queue.wait(of: 0)
        #expect(asked.pools.withLock { $0 } == [1])
        slot.release()
        queue.releaseGranted()
        queue.limit.unregister(queue.id(1))
        #expect(!queue.limit.hasWaiting)
        _ = queue.wait(of: 0)
        #expect(asked.pools.withLock { $0 } == [1])
    }

    private final class Asked: Sendable { let pools = Mutex<[Int]>([]) }
}
