import NIOCore
import Testing

@testable import Proxy

/// Machines in boxes: an expectation cannot hold what changes while it is asked.
private final class Box<Machine> {
    var machine: Machine
    init(_ machine: Machine) { self.machine = machine }
}

extension Box<Balancer> {
    func pick(_ loads: [Int], usable: [Bool]? = nil, excluding: Int? = nil) -> Int? {
        machine.pick(of: loads.count, excluding: excluding) { .init(load: loads[$0], isUsable: usable?[$0] ?? true) }
    }
}

extension Box<PassiveHealth> {
    func failed(_ rule: PassiveHealth.Rule, now: Int64) -> Bool { machine.failed(rule, now: now) }
    func succeeded() { machine.succeeded() }
    func isEjected(now: Int64) -> Bool { machine.isEjected(now: now) }
}

extension Box<AddressBook> {
    func update(_ answer: [SocketAddress], now: Int64) { machine.update(answer, now: now) }
    func candidates(now: Int64) -> [SocketAddress] { machine.candidates(now: now) }
    func failed(_ address: SocketAddress, now: Int64) { machine.failed(address, now: now) }
    func succeeded(_ address: SocketAddress) { machine.succeeded(address) }
}

@Suite("Choosing among targets")
struct BalancingTests {

    @Test("the fewest requests in flight win")
    func leastConnections() {
        let balancer = Box(Balancer())
        #expect(balancer.pick([3, 1, 2]) == 1)
        #expect(balancer.pick([3, 1, 2]) == 1)
        #expect(balancer.pick([0, 1, 2]) == 0)
    }

    @Test("ties go round")
    func rotation() {
        let balancer = Box(Balancer())
        #expect((0..<6).map { _ in balancer.pick([0, 0, 0]) } == [0, 1, 2, 0, 1, 2])
        #expect((0..<4).map { _ in balancer.pick([5, 0, 0]) } == [1, 2, 1, 2])
    }

    @Test("an unusable target is left out, however idle it is")
    func unusable() {
        let balancer = Box(Balancer())
        #expect((0..<4).map { _ in balancer.pick([0, 9, 9], usable: [false, true, true]) } == [1, 2, 1, 2])
    }

    @Test("when none is usable, all are")
    func panic() {
        let balancer = Box(Balancer())
        #expect((0..<4).map { _ in balancer.pick([0, 0], usable: [false, false]) } == [0, 1, 0, 1])
    }

    @Test("the target that has failed is not its own replacement, even if it is the only healthy one")
    func excluded() {
        let balancer = Box(Balancer())
        #expect(balancer.pick([0, 7], excluding: 0) == 1)
        #expect(balancer.pick([0, 7], usable: [true, false], excluding: 0) == 1)
        #expect(balancer.pick([0], excluding: 0) == nil)
    }
}

@Suite("Passive health")
struct PassiveHealthTests {
    private let rule: PassiveHealth.Rule = {
        var rule = PassiveHealth.Rule()
        rule.failures = 3
        rule.duration = 1_000
        return rule
    }()

    @Test("failures in a row leave a target out for a while")
    func ejection() {
        let health = Box(PassiveHealth())
        #expect(!health.failed(rule, now: 0) && !health.failed(rule, now: 1))
        #expect(!health.isEjected(now: 2))
        #expect(health.failed(rule, now: 2))
        #expect(health.isEjected(now: 2) && health.isEjected(now: 1_001))
        #expect(!health.isEjected(now: 1_002))
    }

    @Test("one success in between starts the count anew")
    func success() {
        let health = Box(PassiveHealth())
        for now in 0..<20 {
            #expect(!health.failed(rule, now: Int64(now)))
            if now % 2 == 1 { health.succeeded() }
        }
        #expect(!health.isEjected(now: 20))
    }

    @Test("after its time a target gets one chance: another failure leaves it out again, an answer clears it")
    func secondChance() {
        let health = Box(PassiveHealth())
        for now in 0..<3 { _ = health.failed(rule, now: Int64(now)) }
        #expect(!health.isEjected(now: 2_000))
        #expect(health.failed(rule, now: 2_000))
        #expect(health.isEjected(now: 2_500))
        health.succeeded()
        #expect(!health.isEjected(now: 2_500))
        #expect(!health.failed(rule, now: 2_600))
    }

    @Test("failures while it is out do not keep it out longer")
    func noExtension() {
        let health = Box(PassiveHealth())
        for now in 0..<3 { _ = health.failed(rule, now: Int64(now)) }
        #expect(!health.failed(rule, now: 900))
        #expect(!health.isEjected(now: 1_002))
    }
}

@Suite("Active checks")
struct CheckedHealthTests {
    private let rule = HealthRule(path: "/", interval: 1, timeout: 1, healthyAfter: 2, unhealthyAfter: 3)

    @Test(
        "a verdict changes after a streak, and only then",
        arguments: [
            ("", true), ("--", true), ("---", false), ("--+--", true), ("--+---", false), ("---+", false), ("---++", true),
            ("---+-+", false), ("---+-++", true), ("----------++", true), ("++++---", false),
        ])
    func verdicts(results: String, isHealthy: Bool) {
        var health = CheckedHealth()
        var changes = 0
        var last = true
        for result in results {
            if health.record(result == "+", rule) { changes += 1 }
            if health.isHealthy != last { last = health.isHealthy }
        }
        #expect(health.isHealthy == isHealthy)
        #expect(changes % 2 == (isHealthy ? 0 : 1))
    }
}

@Suite("Retries")
struct RetryPolicyTests {
    private func decide(
        _ progress: RetryPolicy.Progress, repeatable: Bool = true, begun: Bool = false, other: Bool = true, repeated: Bool = false,
        moved: Bool = false
    ) -> RetryPolicy.Decision {
        RetryPolicy.decide(
            progress, isRepeatable: repeatable, hasBodyBegun: begun, hasOtherTarget: other, .init(hasRepeated: repeated, hasMovedOn: moved))
    }

    @Test("no connection: any method goes to another target, once")
    func opening() {
        #expect(decide(.opening, repeatable: false) == .otherTarget)
        #expect(decide(.opening, repeatable: false, moved: true) == .report)
        #expect(decide(.opening, other: false) == .report)
        #expect(decide(.opening, begun: true) == .report)
    }

    @Test("RFC 9113 section 8.7: what was refused unseen is sent again, whatever the method, unless its body has begun and is not kept")
    func unprocessed() {
        #expect(decide(.unprocessed, repeatable: false) == .again)
        #expect(decide(.unprocessed, repeatable: false, repeated: true) == .otherTarget)
        #expect(decide(.unprocessed, repeatable: false, other: false, repeated: true) == .report)
        #expect(decide(.unprocessed, repeatable: false, begun: true) == .report)
        #expect(decide(.unprocessed, begun: true) == .again)
    }

    @Test("P23: what may have been seen is sent again only if it is idempotent and its body, if any, is kept")
    func closed() {
        #expect(decide(.keptConnectionClosed) == .again)
        #expect(decide(.keptConnectionClosed, repeated: true) == .otherTarget)
        #expect(decide(.keptConnectionClosed, repeatable: false) == .report)
        #expect(decide(.newConnectionClosed) == .otherTarget)
        #expect(decide(.newConnectionClosed, other: false) == .report)
        #expect(decide(.newConnectionClosed, repeatable: false) == .report)
        #expect(decide(.newConnectionClosed, moved: true) == .report)
    }

    @Test("a late answer, and a wrong one, are reported")
    func answered() {
        #expect(decide(.answered) == .report)
    }

    @Test("no order of failures leads to more than two repetitions")
    func bounded() {
        let all: [RetryPolicy.Progress] = [.opening, .unprocessed, .keptConnectionClosed, .newConnectionClosed, .answered]
        func longest(_ attempts: RetryPolicy.Attempts) -> Int {
            all.map { progress in
                var next = attempts
                switch RetryPolicy.decide(progress, isRepeatable: true, hasBodyBegun: false, hasOtherTarget: true, attempts) {
                case .report: return 0
                case .again: next.hasRepeated = true
                case .otherTarget: next.hasMovedOn = true
                }
                return 1 + longest(next)
            }.max() ?? 0
        }
        #expect(longest(.init()) == 2)
    }
}

@Suite("Addresses of a name")
struct AddressBookTests {
    private func address(_ last: Int) throws -> SocketAddress { try SocketAddress(ipAddress: "192.0.2.\(last)", port: 80) }

    @Test("each connection begins with the next address")
    func rotation() throws {
        let book = Box(AddressBook())
        book.update([try address(1), try address(2), try address(3)], now: 0)
        let firsts = try (0..<4).map { _ in try #require(book.candidates(now: 1).first) }
        let expected = [try address(1), try address(2), try address(3), try address(1)]
        #expect(firsts == expected)
        let rest = [try address(2), try address(3), try address(1)]
        #expect(book.candidates(now: 1) == rest)
    }

    @Test("an address that refused comes last for a while")
    func avoided() throws {
        let book = Box(AddressBook())
        let (first, second) = (try address(1), try address(2))
        book.update([first, second], now: 0)
        book.failed(first, now: 0)
        #expect(book.candidates(now: 1) == [second, first])
        #expect(book.candidates(now: 1) == [second, first])
        #expect(book.candidates(now: AddressBook.avoidedFor + 1) == [first, second])
        book.failed(second, now: 0)
        book.succeeded(second)
        #expect(book.candidates(now: 1).first == second)
    }

    @Test("an answer without addresses changes nothing, and one connection does not try a hundred")
    func limits() throws {
        let book = Box(AddressBook())
        #expect(book.candidates(now: 0).isEmpty)
        book.update(try (1...100).map { try address($0) }, now: 0)
        book.update([], now: 5)
        #expect(book.candidates(now: 5).count == AddressBook.attempts)
        #expect(book.machine.isFresh(now: AddressBook.freshFor - 1) && !book.machine.isFresh(now: AddressBook.freshFor))
    }
}
