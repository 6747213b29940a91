import Synchronization

/// Counts the open client connections of a process, over all its event loops.
package final class ConnectionGauge: Sendable {
    private let open = Atomic<Int>(0)
    private let limit: Int

    /// `limit` nil: no limit of ours.
    package init(limit: Int? = nil) { self.limit = limit ?? .max }

    package var count: Int { open.load(ordering: .relaxed) }

    /// False: the connection is one too many, and is not counted.
    func admit() -> Bool {
        if open.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() { open.subtract(1, ordering: .relaxed) }
}
