package import NIOCore

/// Something with a time limit: a connection. Used on its event loop only.
package protocol DeadlineOwner: AnyObject {
    func deadlineExpired()
}

/// One connection's place in the wheel.
package final class Deadline {
    /// Not retained: the owner holds its deadline, and cancels it before it goes.
    package unowned var owner: (any DeadlineOwner)?
    /// The tick at which the owner's limit ends; nil: no limit now.
    fileprivate(set) var due: UInt64?
    /// The tick at which the wheel looks at it; 0: it is in no slot.
    fileprivate var visit: UInt64 = 0
    fileprivate var index = 0

    package init() {}

    /// The tick at which a limit of so many milliseconds was set that is still running.
    package func start(milliseconds: Int64) -> UInt64? { due.map { $0 - min($0, DeadlineWheel.ticks(milliseconds)) } }
}

/// The time limits of all connections of one event loop, without a timer for each request.
///
/// A limit that is moved later costs one store: its entry stays where it is and is looked at again when its slot comes round.
package final class DeadlineWheel {
    /// The granularity of limits, which are rounded up to it.
    package static let tick = TimeAmount.milliseconds(100)
    private static let slotCount = 256

    private let eventLoop: any EventLoop
    private var slots: [[Deadline]]
    package private(set) var now: UInt64 = 0
    private var count = 0
    private var task: RepeatedTask?

    package init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        slots = Array(repeating: [], count: Self.slotCount)
    }

    /// Notifies the owner once `milliseconds` have passed, unless the limit is moved or cleared before.
    package func set(_ deadline: Deadline, milliseconds: Int64) {
        let due = now + Self.ticks(milliseconds)
        deadline.due = due
        if deadline.visit > 0 {
            if deadline.visit <= due { return }
            remove(deadline)
        }
        insert(deadline)
        startIfNeeded()
    }

    /// One more than the time takes: the tick of now has begun already.
    fileprivate static func ticks(_ milliseconds: Int64) -> UInt64 { (UInt64(max(1, milliseconds)) + 99) / 100 + 1 }

    package func clear(_ deadline: Deadline) {
        deadline.due = nil
    }

    /// For an owner that goes away.
    package func cancel(_ deadline: Deadline) {
        deadline.due = nil
        if deadline.visit > 0 { remove(deadline) }
    }

    private func slot(of deadline: Deadline) -> Int { Int(deadline.visit % UInt64(Self.slotCount)) }

    private func insert(_ deadline: Deadline) {
        guard let due = deadline.due else { return }
        deadline.visit = now + min(due - now, UInt64(Self.slotCount - 1))
        let slot = slot(of: deadline)
        deadline.index = slots[slot].count
        slots[slot].append(deadline)
        count += 1
    }

    private func remove(_ deadline: Deadline) {
        let slot = slot(of: deadline)
        let last = slots[slot].removeLast()
        if last !== deadline {
            slots[slot][deadline.index] = last
            last.index = deadline.index
        }
        deadline.visit = 0
        count -= 1
    }

    private func startIfNeeded() {
        guard task == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: Self.tick, delay: Self.tick) { _ in bound.value.advance() }
    }

    private func advance() {
        now += 1
        let slot = Int(now % UInt64(Self.slotCount))
        guard !slots[slot].isEmpty else {
            if count == 0 {
                task?.cancel()
                task = nil
            }
            return
        }
        let entries = slots[slot]
        slots[slot].removeAll(keepingCapacity: true)
        count -= entries.count
        // All leave the slot before any owner is notified, because an owner that closes removes others.
        for entry in entries { entry.visit = 0 }
        for entry in entries {
            guard entry.visit == 0, let due = entry.due else { continue }
            if due <= now {
                entry.due = nil
                entry.owner?.deadlineExpired()
            } else {
                insert(entry)
            }
        }
    }
}
