import NIOCore

/// The tasks of one event loop that wait for their time, the next one first. Used on its event loop only.
struct Timers {
    /// False: its time will not come, as the loop ends.
    typealias Task = (_ isDue: Bool) -> Void

    /// One task that waits.
    final class Entry {
        let deadline: NIODeadline
        /// The order among timers with the same deadline.
        fileprivate let order: UInt64
        /// Nil once it ran or was cancelled.
        fileprivate(set) var task: Task?
        /// Its index in the heap.
        fileprivate var index = -1

        fileprivate init(deadline: NIODeadline, order: UInt64, task: @escaping Task) {
            self.deadline = deadline
            self.order = order
            self.task = task
        }

        fileprivate func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    /// A binary heap: each entry is before the two at twice its index and one and two.
    private var heap: [Entry] = []
    private var ordered: UInt64 = 0

    var next: NIODeadline? { heap.first?.deadline }
    var isEmpty: Bool { heap.isEmpty }

    mutating func add(at deadline: NIODeadline, _ task: @escaping Task) -> Entry {
        ordered += 1
        let entry = Entry(deadline: deadline, order: ordered, task: task)
        entry.index = heap.count
        heap.append(entry)
        moveUp(entry)
        return entry
    }

    /// Returns the task, which will not run; nil for one that ran or was cancelled already.
    mutating func cancel(_ entry: Entry) -> Task? {
        remove(entry)
        return entry.task.take()
    }

    /// The task that was due first, if one is.
    mutating func takeDue(_ now: NIODeadline) -> Task? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(first)
        return first.task.take()
    }

    private mutating func remove(_ entry: Entry) {
        guard entry.index >= 0 else { return }
        let last = heap.removeLast()
        if last !== entry {
            last.index = entry.index
            heap[last.index] = last
            moveUp(last)
            moveDown(last)
        }
        entry.index = -1
    }

    private mutating func moveUp(_ entry: Entry) {
        while entry.index > 0 {
            let above = heap[(entry.index - 1) / 2]
            guard entry.isBefore(above) else { return }
            exchange(entry, above)
        }
    }

    private mutating func moveDown(_ entry: Entry) {
        while true {
            let left = 2 * entry.index + 1
            guard left < heap.count else { return }
            var first = heap[left]
            if left + 1 < heap.count, heap[left + 1].isBefore(first) { first = heap[left + 1] }
            guard first.isBefore(entry) else { return }
            exchange(entry, first)
        }
    }

    private mutating func exchange(_ one: Entry, _ other: Entry) {
        swap(&one.index, &other.index)
        heap[one.index] = one
        heap[other.index] = other
    }
}
