/// Allows work at most once in an interval, in Unix milliseconds. After the clock was set back, the work does not wait until it has caught up.
package struct Pacing: Sendable {
    private let interval: Int64
    private var last: Int64?

    package init(interval: Int64) { self.interval = max(1, interval) }

    /// Whether the work was done less than the interval ago.
    package func isTooSoon(at now: Int64) -> Bool { last.map { (0..<interval).contains(now &- $0) } ?? false }

    /// Whether the work may be done now; if so, it counts as done.
    package mutating func begin(at now: Int64) -> Bool {
        guard !isTooSoon(at: now) else { return false }
        last = now
        return true
    }

    package mutating func reset() { last = nil }
}
