import Synchronization

/// Counts the open client connections of a process, over all its event loops.
package final class ConnectionGauge: Sendable {
    private let open = Atomic<Int>(0)
    private let limit: Atomic<Int>

    /// `limit` nil: no limit of ours.
    package init(limit: Int? = nil) { self.limit = Atomic(limit ?? .max) }

    /// Another limit; connections beyond it stay.
    package func setLimit(_ limit: Int?) { self.limit.store(limit ?? .max, ordering: .relaxed) }

    package var count: Int { open.load(ordering: .relaxed) }

    /// False: the connection is one too many, and is not counted.
    func admit() -> Bool {
        if open.add(1, ordering: .relaxed).newValue <= limit.load(ordering: .relaxed) { return true }
        leave()
        return false
    }

    func leave() { open.subtract(1, ordering: .relaxed) }
}
