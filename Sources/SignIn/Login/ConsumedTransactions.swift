/// Remembers which sign-ins are finished, so that a `state` works once even if its cookie comes again (RFC 9700 section 4.7.1).
///
/// Two generations: an id is remembered for at least a transaction's lifetime, and memory is bounded by twice the capacity.
/// Under more sign-ins than that within a lifetime the oldest ids go first; the provider's single-use code still stands.
package struct ConsumedTransactions: Sendable {
    private let capacity: Int
    private var current: Set<LoginID> = []
    private var previous: Set<LoginID> = []
    private var turnedAt: Int64 = 0

    package init(capacity: Int = 65_536) { self.capacity = capacity }

    package func contains(_ id: LoginID) -> Bool { self.current.contains(id) || self.previous.contains(id) }

    /// False when the id was consumed before.
    package mutating func consume(_ id: LoginID, now: Int64) -> Bool {
        if self.current.count >= self.capacity || now - self.turnedAt >= LoginTransaction.lifetime {
            self.previous = now - self.turnedAt >= 2 * LoginTransaction.lifetime ? [] : self.current
            self.current = []
            self.turnedAt = now
        }
        guard !self.contains(id) else { return false }
        self.current.insert(id)
        return true
    }

    var count: Int { self.current.count + self.previous.count }
}
