/// Remembers which sign-ins are finished, so that a `state` works once even if its cookie comes again (RFC 9700 section 4.7.1).
///
/// Two generations: an id is remembered for at least a transaction's lifetime, and memory is bounded by twice the capacity.
/// Under more sign-ins than that within a lifetime the oldest ids go first; the provider's single-use code still stands.
struct FinishedLogins: Sendable {
    private let capacity: Int
    private var current: Set<String> = []
    private var previous: Set<String> = []
    private var turnedAt: Int64 = 0

    private let lifetime: Int64

    /// `lifetime`: the time limit of a login, in milliseconds.
    init(capacity: Int = 65_536, lifetime: Int64 = 600_000) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    func contains(_ id: String) -> Bool { self.current.contains(id) || self.previous.contains(id) }

    /// False when the id was finished before.
    mutating func finish(_ id: String, now: Int64) -> Bool {
        if self.current.count >= self.capacity || now - self.turnedAt >= lifetime {
            self.previous = now - self.turnedAt >= 2 * lifetime ? [] : self.current
            self.current = []
            self.turnedAt = now
        }
        guard !self.contains(id) else { return false }
        self.current.insert(id)
        return true
    }

    var count: Int { self.current.count + self.previous.count }
}
