import NIOCore

/// Items that one turn of a loop collects and works through. What is added meanwhile belongs to the next turn.
///
/// The list that is worked through is outside of the queue, and its memory comes back with `recycle`.
struct TurnQueue<Item> {
    private var items: [Item] = []
    private var spare: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ item: Item) { items.append(item) }
    mutating func append(contentsOf more: [Item]) { items.append(contentsOf: more) }

    /// The items so far.
    mutating func take() -> [Item] {
        swap(&items, &spare)
        let taken = spare
        spare = []
        return taken
    }

    /// Takes the list back. Memory for more than `limit` items is freed.
    mutating func recycle(_ list: consuming [Item], limit: Int) {
        list.removeAll(keepingCapacity: list.count < limit)
        spare = list
    }

    mutating func removeAll() { self = TurnQueue() }
}

/// Tasks that run once the loop has nothing else to do, half a millisecond later at the latest.
struct IdleTasks {
    private var tasks: [LoopTask] = []
    /// The time at which they run even if the loop is busy.
    private var limit = NIODeadline.distantFuture

    var isEmpty: Bool { tasks.isEmpty }

    mutating func append(_ task: LoopTask, now: NIODeadline) {
        if tasks.isEmpty { limit = now + .microseconds(500) }
        tasks.append(task)
    }

    /// Moves them to the queue where it is time to run them.
    mutating func move(to queue: inout TurnQueue<LoopTask>, isIdle: Bool, now: NIODeadline) {
        guard !tasks.isEmpty, isIdle || now >= limit else { return }
        queue.append(contentsOf: tasks)
        tasks.removeAll(keepingCapacity: true)
    }
}
