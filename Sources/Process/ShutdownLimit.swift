import Dispatch
import Glibc
package import NIOCore

/// The time limits of a shutdown.
package struct ShutdownLimit {
    /// For the work behind the last connection, and for a shutdown that was asked for twice.
    package static let grace = TimeAmount.seconds(1)
    private static let longest: Int64 = 30 * 86_400_000

    /// The end of `timeouts.shutdown`.
    package let end: NIODeadline

    /// Milliseconds.
    package init(drainDelay: Int64, shutdown: Int64, now: NIODeadline) {
        end = now + .milliseconds(min(drainDelay, Self.longest)) + .milliseconds(min(shutdown, Self.longest))
    }

    /// Until when logs may be written. A shutdown that used up its time on connections leaves them a moment all the same.
    package func endOfLogs(now: NIODeadline) -> NIODeadline { max(end, now + Self.grace) }

    /// The time at which the process exits in any case.
    package var lastMoment: NIODeadline { end + .seconds(5) }
}

/// Ends the process when an orderly shutdown does not. Waits for nothing: neither for a log's reader nor for a task.
package enum ForcedExit {
    private static let queue = DispatchQueue(label: "forced-exit")

    package static func schedule(at deadline: NIODeadline) {
        let delay = max(0, (deadline - .now()).nanoseconds)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { _exit(0) }
    }
}
