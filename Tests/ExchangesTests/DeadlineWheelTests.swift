import NIOCore
import NIOEmbedded
import Testing

@testable import Exchanges

private final class Owner: DeadlineOwner {
    let deadline = Deadline()
    var expired = 0
    var onExpiry: () -> Void = {}
    init() { deadline.owner = self }
    func deadlineExpired() {
        expired += 1
        onExpiry()
    }
}

@Suite("Time limits")
struct DeadlineWheelTests {
    private let loop = EmbeddedEventLoop()

    @Test("an owner is told once, after its time and not before")
    func once() {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owner = Owner()
        wheel.set(owner.deadline, milliseconds: 1_000)
        loop.advanceTime(by: .milliseconds(900))
        #expect(owner.expired == 0)
        loop.advanceTime(by: .milliseconds(500))
        #expect(owner.expired == 1)
        loop.advanceTime(by: .seconds(60))
        #expect(owner.expired == 1)
    }

    @Test("a limit that is moved, later or earlier, counts from its last move", arguments: [(5_000, 1_000), (1_000, 5_000), (60_000, 200)])
    func moved(first: Int64, second: Int64) {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owner = Owner()
        wheel.set(owner.deadline, milliseconds: first)
        wheel.set(owner.deadline, milliseconds: second)
        loop.advanceTime(by: .milliseconds(second - 100))
        #expect(owner.expired == 0)
        loop.advanceTime(by: .milliseconds(500))
        #expect(owner.expired == 1)
    }

    @Test("The longest limits are kept, and one below zero is over at the next tick", arguments: [Int64.max, .max - 98, .min, -1, 0])
    func extremes(milliseconds: Int64) {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owner = Owner()
        wheel.set(owner.deadline, milliseconds: milliseconds)
        loop.advanceTime(by: .seconds(60))
        #expect(owner.expired == (milliseconds > 0 ? 0 : 1))
    }

    @Test("limits longer than the wheel come round")
    func long() {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owner = Owner()
        wheel.set(owner.deadline, milliseconds: 75_000)
        loop.advanceTime(by: .seconds(74))
        #expect(owner.expired == 0)
        loop.advanceTime(by: .seconds(2))
        #expect(owner.expired == 1)
    }

    @Test("an owner that ends another one while it is told harms nobody")
    func cancelDuringExpiry() {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owners = (0..<3).map { _ in Owner() }
        for owner in owners { wheel.set(owner.deadline, milliseconds: 500) }
        owners[0].onExpiry = { wheel.cancel(owners[1].deadline) }
        owners[2].onExpiry = { wheel.set(owners[0].deadline, milliseconds: 500) }
        loop.advanceTime(by: .milliseconds(800))
        #expect(owners.map(\.expired) == [1, 0, 1])
        loop.advanceTime(by: .seconds(2))
        #expect(owners.map(\.expired) == [2, 0, 1])
    }

    @Test("a cleared limit never ends anybody")
    func cleared() {
        let wheel = DeadlineWheel(eventLoop: loop)
        let owner = Owner()
        wheel.set(owner.deadline, milliseconds: 500)
        wheel.clear(owner.deadline)
        loop.advanceTime(by: .seconds(10))
        #expect(owner.expired == 0)
    }
}
