/// A bounded queue that serves its clients in turn: each in the order of its own elements, however many others have queued.
///
/// Clients of one group share a turn among the groups: whoever has many addresses of one network has no more turns than one address.
struct FairQueue<Group: Hashable & Sendable, Client: Hashable & Sendable, Element> {
    enum Admission {
        case accepted
        /// The queue is full, and no client has more in it than this one.
        case refused
        /// Accepted instead of the last element of the client with the most.
        case displaced(Element)
    }

    private let capacity: Int
    private var groups = Turns<Group, Turns<Client, [Element]>>()

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { groups.count }

    mutating func append(_ element: Element, for client: Client, in group: Group) -> Admission {
        var dropped: Element?
        if count >= capacity {
            // Another group with more, else another client of the own group.
            dropped = groups.dropLast(insteadOf: group) { $0.dropLast() }
            if dropped == nil { dropped = groups.change(group) { $0.dropLast(insteadOf: client) { $0.popLast() } } }
            guard dropped != nil else { return .refused }
        }
        groups.add(group) { $0.add(client) { $0.append(element) } }
        return dropped.map { .displaced($0) } ?? .accepted
    }

    /// The first element of the client whose turn it is, in the group whose turn it is.
    mutating func popFirst() -> Element? {
        groups.takeTurn { $0.takeTurn { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    /// Removes and returns the elements that nobody waits for any longer.
    mutating func removeAll(where isOver: (Element) -> Bool = { _ in true }) -> [Element] {
        var removed: [Element] = []
        groups.filter { clients in
            clients.filter { elements in
                removed += elements.filter(isOver)
                elements.removeAll(where: isOver)
            }
        }
        return removed
    }
}

extension FairQueue: Sendable where Element: Sendable {}

/// A part of a queue that knows how many elements it has.
protocol Counted {
    init()
    var count: Int { get }
}

extension Array: Counted {}

/// Parts of a queue that take turns.
struct Turns<Key: Hashable & Sendable, Part: Counted>: Counted {
    private(set) var count = 0
    /// The keys that have elements, the next one first, without repetitions.
    private var turns: [Key] = []
    /// Never empty parts.
    private var parts: [Key: Part] = [:]

    mutating func add(_ key: Key, _ body: (inout Part) -> Void) {
        if parts[key] == nil { turns.append(key) }
        body(&parts[key, default: Part()])
        count += 1
    }

    /// Takes an element from the part whose turn it is.
    mutating func takeTurn<Element>(_ take: (inout Part) -> Element?) -> Element? {
        guard let key = turns.first, var part = parts[key], let element = take(&part) else { return nil }
        turns.removeFirst()
        count -= 1
        if part.count == 0 {
            parts[key] = nil
        } else {
            parts[key] = part
            turns.append(key)
        }
        return element
    }

    /// Takes an element from the part with the most, if it has more than this one would have with a further one. Of several with as many, the
    /// one whose turn is last.
    mutating func dropLast<Element>(insteadOf key: Key? = nil, _ drop: (inout Part) -> Element?) -> Element? {
        let own = key.flatMap { parts[$0]?.count } ?? 0
        guard let longest = turns.reversed().max(by: { size($0) < size($1) }), key == nil || size(longest) > own + 1 else { return nil }
        return change(longest, drop)
    }

    /// Takes an element from a part.
    mutating func change<Element>(_ key: Key, _ take: (inout Part) -> Element?) -> Element? {
        guard var part = parts[key], let element = take(&part) else { return nil }
        count -= 1
        parts[key] = part.count == 0 ? nil : part
        if part.count == 0 { turns.removeAll { $0 == key } }
        return element
    }

    /// Removes elements from all parts, the next one first.
    mutating func filter(_ body: (inout Part) -> Void) {
        for key in turns { if parts[key] != nil { body(&parts[key, default: Part()]) } }
        parts = parts.filter { $0.value.count > 0 }
        turns = turns.filter { parts[$0] != nil }
        count = parts.values.reduce(0) { $0 + $1.count }
    }

    private func size(_ key: Key) -> Int { parts[key]?.count ?? 0 }
}

extension Turns where Part: RangeReplaceableCollection {
    /// Drops the last element of the part with the most.
    mutating func dropLast() -> Part.Element? where Part: BidirectionalCollection { dropLast { $0.popLast() } }
}

extension Turns: Sendable where Part: Sendable {}
