import Dispatch
import NIOCore
import Sessions
import Synchronization
import TestTools
import Testing
import TokenCrypto

@testable import Stores

@Suite("The queue of passwords")
struct FairQueueTests {
    @Test("serves clients in turn, and each in its own order")
    func turns() {
        var queue = FairQueue<String, String, Int>(capacity: 10)
        for (client, element) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("b", 5), ("c", 6)] {
            _ = queue.append(element, for: client, in: client)
        }
        #expect((0..<7).map { _ in queue.popFirst() } == [1, 4, 6, 2, 5, 3, nil])
        #expect(queue.count == 0)
    }

    @Test("a full queue drops the last of the client with the most, and refuses clients that have as many")
    func full() {
        var queue = FairQueue<String, String, Int>(capacity: 4)
        for element in 1...4 {
            guard case .accepted = queue.append(element, for: "flood", in: "flood") else { return #expect(Bool(false)) }
        }
        guard case .refused = queue.append(5, for: "flood", in: "flood") else { return #expect(Bool(false)) }
        guard case .displaced(4) = queue.append(6, for: "b", in: "b") else { return #expect(Bool(false)) }
        guard case .displaced(3) = queue.append(7, for: "c", in: "c") else { return #expect(Bool(false)) }
        // Two of the flood, one of b and of c: nothing would be fairer.
        guard case .refused = queue.append(8, for: "b", in: "b") else { return #expect(Bool(false)) }
        guard case .displaced(2) = queue.append(9, for: "d", in: "d") else { return #expect(Bool(false)) }
        guard case .refused = queue.append(10, for: "e", in: "e") else { return #expect(Bool(false)) }
        #expect(queue.count == 4)
        #expect(queue.removeAll() == [1, 6, 7, 9])
    }

    @Test("clients of one group share its turns, and take turns among themselves")
    func groups() {
        var queue = FairQueue<String, String, Int>(capacity: 10)
        for (group, client, element) in [
            ("many", "a", 1), ("many", "b", 2), ("many", "b", 3), ("many", "c", 4), ("one", "d", 5), ("one", "d", 6), ("two", "e", 7),
        ] { _ = queue.append(element, for: client, in: group) }
        #expect((0..<8).map { _ in queue.popFirst() } == [1, 5, 7, 2, 6, 4, 3, nil])
    }

    @Test("a full queue drops of the group with the most, and within a group of the client with the most")
    func fullGroups() {
        var queue = FairQueue<String, String, Int>(capacity: 4)
        for (client, element) in [("a", 1), ("b", 2), ("c", 3), ("c", 4)] {
            guard case .accepted = queue.append(element, for: client, in: "many") else { return #expect(Bool(false)) }
        }
        // Of its own group: the client with the most, if it has more.
        guard case .refused = queue.append(5, for: "a", in: "many") else { return #expect(Bool(false)) }
        guard case .displaced(4) = queue.append(6, for: "d", in: "many") else { return #expect(Bool(false)) }
        guard case .refused = queue.append(7, for: "e", in: "many") else { return #expect(Bool(false)) }
        // Each has one, but their group has four.
        guard case .displaced(6) = queue.append(8, for: "f", in: "other") else { return #expect(Bool(false)) }
        guard case .displaced(3) = queue.append(9, for: "f", in: "other") else { return #expect(Bool(false)) }
        // Both groups have two: within the own one, the first of a client is worth more than the second of another.
        guard case .displaced(9) = queue.append(10, for: "g", in: "other") else { return #expect(Bool(false)) }
        guard case .refused = queue.append(11, for: "h", in: "other") else { return #expect(Bool(false)) }
        #expect(queue.count == 4 && queue.removeAll { $0 > 1 && $0 < 9 } == [2, 8] && queue.count == 2)
        #expect((0..<3).map { _ in queue.popFirst() } == [1, 10, nil])
    }

    @Test("any order of additions and removals keeps the bound and loses nothing", .seeded)
    func model() {
        var generator = SeededGenerator()
        for _ in 0..<200 {
            var queue = FairQueue<Int, Int, Int>(capacity: 8)
            var inside: Set<Int> = []
            for element in 0..<200 {
                if Bool.random(using: &generator) {
                    let client = Int.random(in: 0..<5, using: &generator)
                    switch queue.append(element, for: client, in: client / 2) {
                    case .accepted: inside.insert(element)
                    case .refused: #expect(inside.count == 8)
                    case .displaced(let other):
                        #expect(inside.count == 8 && inside.remove(other) != nil)
                        inside.insert(element)
                    }
                } else if let element = queue.popFirst() {
                    #expect(inside.remove(element) != nil)
                } else {
                    #expect(inside.isEmpty)
                }
                #expect(queue.count == inside.count && inside.count <= 8)
            }
            #expect(Set(queue.removeAll()) == inside)
        }
    }
}

@Suite("The pool that hashes passwords")
struct PasswordPoolTests {
    /// What ran, in order, and how much at once.
    private final class Record: Sendable {
        struct Contents {
            var order: [String] = []
            var running = 0
            var most = 0
        }
        private let contents = Mutex(Contents())

        func run(_ name: String, _ body: () -> Void = {}) {
            contents.withLock {
                $0.order.append(name)
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            body()
            contents.withLock { $0.running -= 1 }
        }
        var order: [String] { contents.withLock { $0.order } }
        var most: Int { contents.withLock { $0.most } }
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func increase() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// The failure of one run; nil if it ran.
    private static func run(
        _ pool: PasswordPool, for client: String, _ work: @escaping @Sendable () -> Void
    ) async -> PasswordPool.Failure? {
        do throws(PasswordPool.Failure) {
            try await pool.run(for: client) { () throws(PasswordHashingError) in work() }
            return nil
        } catch {
            return error
        }
    }

    @Test("10,000 guesses from one address delay another address by two hashes, and only as many as fit wait")
    func flood() async throws {
        let pool = PasswordPool(hasher: try .forTests(), threads: 2, capacity: 64)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        let gates = (0..<2).map { index in
            Task {
                await Self.run(pool, for: "gate") { record.run("gate \(index)") { gate.wait() } }
            }
        }
        // Both threads are taken.
        try await eventually { record.order.count == 2 }
        let refused = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10_000 {
                group.addTask {
                    let failure = await Self.run(pool, for: "192.0.2.1") { record.run("flood") }
                    if failure == .busy { refused.increase() }
                }
            }
            // All but those that wait are refused at once, while no hash was computed.
            try await eventually { refused.value == 10_000 - 64 }
            #expect(record.order.count == 2)
            group.addTask {
                let failure = await Self.run(pool, for: "198.51.100.7") { record.run("other") }
                #expect(failure == nil)
            }
            try await eventually { refused.value == 10_000 - 63 }
            gate.signal()
            gate.signal()
            try await group.waitForAll()
        }
        for task in gates { #expect(await task.value == nil) }
        let order = record.order
        #expect(order.filter { $0 == "flood" }.count == 63 && refused.value == 10_000 - 63)
        // Two threads take turns at the same time, so their records may change places.
        #expect(try #require(order.firstIndex(of: "other")) <= 2 + 2)
        #expect(record.most <= 2, "each thread holds the memory of one hash")
        await pool.close()
    }

    @Test("60 abandoned password requests take no turn, and no place in the queue")
    func abandoned() async throws {
        let pool = PasswordPool(hasher: try .forTests(), threads: 1, capacity: 60)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        let running = Task { await Self.run(pool, for: "gate") { record.run("gate") { gate.wait() } } }
        try await eventually { record.order.count == 1 }
        let requests = (0..<60).map { _ in StoreBudget() }
        let waiting = requests.enumerated().map { index, request in
            Task {
                await StoreBudget.$current.withValue(request) {
                    await Self.run(pool, for: "192.0.2.\(index)") { record.run("abandoned") }
                }
            }
        }
        try await eventually { pool.waitingCount == 60 }
        for request in requests { request.end() }
        // The queue is full of them, and takes another client's.
        let other = Task { await Self.run(pool, for: "198.51.100.7") { record.run("other") } }
        for task in waiting { #expect(await task.value == .abandoned) }
        try await eventually { pool.waitingCount == 1 }
        gate.signal()
        #expect(await other.value == nil)
        #expect(await running.value == nil)
        #expect(record.order == ["gate", "other"])
        await pool.close()
    }

    @Test("a password that has waited for the time limit is late, and not hashed")
    func late() async throws {
        let clock = Clock()
        let pool = PasswordPool(hasher: try .forTests(), threads: 1, capacity: 8, now: { clock.now })
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        let running = Task { await Self.run(pool, for: "gate") { record.run("gate") { gate.wait() } } }
        try await eventually { record.order.count == 1 }
        let early = (0..<3).map { _ in Task { await Self.run(pool, for: "a") { record.run("late") } } }
        try await eventually { pool.waitingCount == 3 }
        clock.advance(PasswordPool.longestWait - .nanoseconds(1))
        let other = Task { await Self.run(pool, for: "b") { record.run("in time") } }
        try await eventually { pool.waitingCount == 4 }
        clock.advance(.nanoseconds(1))
        gate.signal()
        for task in early { #expect(await task.value == .late) }
        #expect(await other.value == nil)
        #expect(await running.value == nil)
        #expect(record.order == ["gate", "in time"])
        await pool.close()
    }

    private final class Clock: Sendable {
        private let time = Mutex(NIODeadline.uptimeNanoseconds(1))
        var now: NIODeadline { time.withLock { $0 } }
        func advance(_ amount: TimeAmount) { time.withLock { $0 = $0 + amount } }
    }

    @Test("IPv6 clients share by /48 as well as /64")
    func sites() async throws {
        #expect(PasswordPool.site(of: "2001:db8:1:2::") == "2001:db8:1::")
        #expect(PasswordPool.site(of: "2001:db8:1:ffff::") == PasswordPool.site(of: "2001:db8:1::"))
        #expect(PasswordPool.site(of: "2001:db8:2::") != PasswordPool.site(of: "2001:db8:1::"))
        #expect(PasswordPool.site(of: "192.0.2.1") == "192.0.2.1" && PasswordPool.site(of: "unix") == "unix")
        let pool = PasswordPool(hasher: try .forTests(), threads: 1, capacity: 64)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        let running = Task { await Self.run(pool, for: "gate") { record.run("gate") { gate.wait() } } }
        try await eventually { record.order.count == 1 }
        let refused = Counter()
        let flood = (0..<64).map { index in
            Task {
                let failure = await Self.run(pool, for: "2001:db8:1:\(String(index, radix: 16))::") { record.run("flood") }
                if failure == .busy { refused.increase() }
            }
        }
        try await eventually { pool.waitingCount == 64 }
        let other = Task { await Self.run(pool, for: "2001:db8:2::") { record.run("other") } }
        // One of the flood made place for it.
        try await eventually { refused.value == 1 }
        gate.signal()
        #expect(await other.value == nil)
        #expect(try #require(record.order.firstIndex(of: "other")) <= 2)
        for task in flood { await task.value }
        _ = await running.value
        #expect(record.order.filter { $0 == "flood" }.count == 63)
        await pool.close()
    }

    @Test("hashes, verifies, renews, and takes its time without a hash")
    func verify() async throws {
        let hasher = try PasswordHasher.forTests()
        let pool = PasswordPool(hasher: hasher)
        #expect(pool.memory == 2 * hasher.memoryPerHash)
        let password = try Password("Blaubeerkuchen")
        let hash = try await pool.hash(password, for: "a")
        #expect(try await pool.verify(password, against: hash, for: "a") == .right(renewed: nil))
        #expect(try await pool.verify(Password("falsch"), against: hash, for: "a") == .wrong)
        #expect(try await pool.verify(password, against: nil, for: "a") == .wrong)
        let project = try FirebaseScrypt(
            hashKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==", saltSeparator: "Bw==",
            rounds: 8,
            memoryCost: 14)
        let imported = try #require(
            project.hash(
                passwordHash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
                salt: "42xEC+ixf3L2lw=="))
        #expect(try await pool.verify(Password("user1passwort"), against: imported, for: "a") == .wrong)
        guard case .right(let renewed?) = try await pool.verify(Password("user1password"), against: imported, for: "a") else {
            return #expect(Bool(false), "it is right, and hashed anew")
        }
        #expect(try await pool.verify(Password("user1password"), against: renewed, for: "a") == .right(renewed: nil))
        await pool.close()
    }

    @Test("a pool that closes refuses what waits and what comes")
    func close() async throws {
        let pool = PasswordPool(hasher: try .forTests(), threads: 1, capacity: 4)
        let record = Record()
        let gate = DispatchSemaphore(value: 0)
        let running = Task {
            await Self.run(pool, for: "a") { record.run("a") { gate.wait() } }
        }
        try await eventually { !record.order.isEmpty }
        let waiting = Task { await Self.run(pool, for: "a") { record.run("b") } }
        try await eventually { pool.waitingCount == 1 }
        let closing = Task { await pool.close() }
        #expect(await waiting.value == .closed)
        gate.signal()
        #expect(await running.value == nil)
        await closing.value
        #expect(await Self.run(pool, for: "a") {} == .closed)
        #expect(record.order == ["a"])
    }
}
