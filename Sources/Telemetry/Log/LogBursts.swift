package import NIOCore

/// Keeps a flood of the same from becoming a flood of log lines: one line for each kind and ten seconds, with how many there were.
package struct LogBursts<Kind: Hashable> {
    private let pause = TimeAmount.seconds(10)
    private var bursts: [Kind: (nextLine: NIODeadline, unlogged: Int)] = [:]

    package init() {}

    /// The number of events that a line written now stands for; nil when no line is due.
    package mutating func note(_ kind: Kind, count: Int = 1, at now: NIODeadline) -> Int? {
        var burst = bursts[kind] ?? (now, 0)
        burst.unlogged += count
        defer { bursts[kind] = burst }
        guard now >= burst.nextLine else { return nil }
        let count = burst.unlogged
        burst = (now + pause, 0)
        return count
    }
}
