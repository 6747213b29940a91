/// An entry of a `SecondChanceCache`.
protocol SecondChanceEntry: AnyObject {
    associatedtype Key: Hashable
    var key: Key { get }
    /// The cache's.
    var slot: Int { get set }
    /// Whether it was found since the cache's hand passed it. The cache's.
    var wasUsed: Bool { get set }
}

/// An entry that a revocation can end.
protocol RevocableEntry: SecondChanceEntry {
    /// Of the revocations, when it was last compared with them: since another one it may have ended. The cache's.
    var epoch: Int { get set }
}

/// A bounded map. A full one evicts one entry at a time by second chance: the hand passes an entry once if it was used since the hand was
/// there.
struct SecondChanceCache<Entry: SecondChanceEntry> {
    private let capacity: Int
    private var entries: [Entry.Key: Entry] = [:]
    /// The entries in the order in which the hand passes them; nil: the slot is free.
    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var hand = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The caller sets `wasUsed` if it uses the entry.
    func find(_ key: Entry.Key) -> Entry? { entries[key] }

    mutating func insert(_ entry: Entry) {
        if let earlier = entries[entry.key] { remove(earlier) }
        entry.slot = takeSlot()
        slots[entry.slot] = entry
        entries[entry.key] = entry
    }

    mutating func remove(_ entry: Entry) {
        entries[entry.key] = nil
        slots[entry.slot] = nil
        freeSlots.append(entry.slot)
    }

    private mutating func takeSlot() -> Int {
        if let free = freeSlots.popLast() { return free }
        if slots.count < capacity {
            slots.append(nil)
            return slots.count - 1
        }
        // Ends within two rounds: the first one takes every second chance.
        while true {
            let slot = hand
            hand = hand + 1 == capacity ? 0 : hand + 1
            guard let entry = slots[slot] else { continue }
            if entry.wasUsed {
                entry.wasUsed = false
            } else {
                entries[entry.key] = nil
                return slot
            }
        }
    }
}

extension SecondChanceCache where Entry: RevocableEntry {
    /// `epoch`: read before the entry was compared with the revocations.
    mutating func insert(_ entry: Entry, epoch: Int) {
        entry.epoch = epoch
        insert(entry)
    }

    /// The entry, which was found and is used now, unless it may have ended: then it is dropped.
    ///
    /// `mayHaveEnded` is called only for an entry that was last compared at another epoch. So an entry outlives the ends of others: after
    /// any, it is compared with the revocations once.
    @inline(__always)
    mutating func use(_ entry: Entry, epoch: Int, mayHaveEnded: (Entry) -> Bool) -> Entry? {
        if entry.epoch != epoch {
            guard !mayHaveEnded(entry) else {
                remove(entry)
                return nil
            }
            entry.epoch = epoch
        }
        entry.wasUsed = true
        return entry
    }
}
