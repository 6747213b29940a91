/// A bounded queue that serves its clients in turn: each in the order of its own elements, however many others have queued.
struct FairQueue<Client: Hashable & Sendable, Element> {
    enum Admission {
        case accepted
        /// The queue is full, and no client has more in it than this one.
        case refused
        /// Accepted instead of the last element of the client with the most.
        case displaced(Element)
    }

    private(set) var count = 0
    private let capacity: Int
    /// The clients that have queued, the next one first, without repetitions.
    private var turns: [Client] = []
    /// Never empty lists.
    private var queues: [Client: [Element]] = [:]

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ element: Element, for client: Client) -> Admission {
        guard count >= capacity else {
            add(element, for: client)
            return .accepted
        }
        let own = queues[client]?.count ?? 0
        // Of several with as many, the one whose turn is last.
        guard let longest = turns.reversed().max(by: { queues[$0, default: []].count < queues[$1, default: []].count }),
            let length = queues[longest]?.count, length > own + 1, let dropped = queues[longest]?.popLast()
        else { return .refused }
        count -= 1
        add(element, for: client)
        return .displaced(dropped)
    }

    private mutating func add(_ element: Element, for client: Client) {
        if queues[client] == nil { turns.append(client) }
        queues[client, default: []].append(element)
        count += 1
    }

    /// The first element of the client whose turn it is.
    mutating func popFirst() -> Element? {
        guard let client = turns.first, var queue = queues[client], !queue.isEmpty else { return nil }
        turns.removeFirst()
        let element = queue.removeFirst()
        count -= 1
        if queue.isEmpty {
            queues[client] = nil
        } else {
            queues[client] = queue
            turns.append(client)
        }
        return element
    }

    mutating func removeAll() -> [Element] {
        var removed: [Element] = []
        while let element = popFirst() { removed.append(element) }
        return removed
    }
}

extension FairQueue: Sendable where Element: Sendable {}
