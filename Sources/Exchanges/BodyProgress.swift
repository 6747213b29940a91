/// Whether the body of a request comes along: it must not stand still for the idle limit, and in each window must bring as many bytes as
/// its rate asks for. Times are ticks of the wheel; nothing is done for each piece but two additions.
package struct BodyProgress {
    package struct Limits {
        /// Milliseconds.
        package var idle: Int64
        /// Bytes a second; 0: no such limit.
        package var rate: Int
        /// Milliseconds.
        package var window: Int64

        package init(idle: Int64, rate: Int, window: Int64) {
            self.idle = idle
            self.rate = rate
            self.window = window
        }
    }

    private var windowStart: UInt64
    private var windowBytes = 0
    private var latest: UInt64
    /// Milliseconds of one tick.
    private static let tick: Int64 = 100

    /// From now on the body is waited for.
    package init(at now: UInt64) {
        windowStart = now
        latest = now
    }

    package mutating func received(_ bytes: Int, at now: UInt64) {
        windowBytes += bytes
        latest = now
    }

    /// The milliseconds after which to ask, and ask again; nil: the sender is too slow.
    package mutating func nextLimit(at now: UInt64, _ limits: Limits) -> Int64? {
        let quiet = Int64(now - latest) * Self.tick
        guard quiet < limits.idle else { return nil }
        guard limits.rate > 0 else { return limits.idle - quiet }
        let elapsed = Int64(now - windowStart) * Self.tick
        if elapsed >= limits.window {
            // In 128 bits: a window may be years.
            guard Int128(windowBytes) * 1000 >= Int128(limits.rate) * Int128(limits.window) else { return nil }
            windowStart = now
            windowBytes = 0
            return min(limits.idle - quiet, limits.window)
        }
        return min(limits.idle - quiet, limits.window - elapsed)
    }
}
