/// Counts how many sessions of each user ended lately, so that one user cannot fill the memory of revocations.
///
/// A count covers the running window and the one before it. It is therefore never less than the number of records that a window's length
/// keeps alive, and falls again once the user ends fewer. Times are Unix milliseconds.
package struct EndedSessionCounts: Sendable {
    package struct Limits: Sendable {
        /// Ends of sessions that have a record each. Beyond that, one record stands for all of a user's sessions.
        package var perUser = 1_000
        /// Users that are counted.
        package var users = 98_000
        /// Users with no more than this are forgotten first when there are too many.
        package var negligible = 16
        package init() {}
    }

    private struct Count {
        var windowStart: Int64
        var current = 0
        var previous = 0

        mutating func advance(to now: Int64, window: Int64) {
            let age = now &- windowStart
            guard !(0..<window).contains(age) else { return }
            previous = (0..<window).contains(age &- window) ? current : 0
            current = 0
            windowStart = now
        }

        var total: Int { current + previous }
    }

    private let limits: Limits
    private var counts: [RevocationDigest: Count] = [:]
    private var purges = Pacing(interval: 1_000)

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Counts the end of one more session. Returns whether the user has ended so many that it gets no record of its own.
    package mutating func exceedsLimit(_ user: RevocationDigest, window: Int64, now: Int64) -> Bool {
        var count = counts[user] ?? Count(windowStart: now)
        count.advance(to: now, window: max(1, window))
        guard count.total < limits.perUser else {
            counts[user] = count
            return true
        }
        count.current += 1
        if counts[user] == nil, counts.count >= limits.users {
            guard purges.begin(at: now) else { return false }
            counts = counts.filter { $0.value.total > limits.negligible }
            guard counts.count < limits.users else { return false }
        }
        counts[user] = count
        return false
    }
}
