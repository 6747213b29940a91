package import Decisions
package import NIOCore

/// A finished request, as its access log line and its spans describe it besides its exchange.
package struct FinishedRequest {
    package let context: RequestContext
    /// nil: nobody is signed in.
    package let caller: Caller?
    /// The counters of its route.
    package let counters: RouteCounters
    package let nanoseconds: Int
    /// The time at which the request was handed to an upstream; nil if it was not, or the upstream failed.
    package let forwardedAt: NIODeadline?
    /// Negative: nothing was forwarded.
    package let upstreamNanoseconds: Int
    package let endedAt: NIODeadline

    @inlinable
    package init(
        _ context: RequestContext, _ caller: Caller?, _ counters: RouteCounters, nanoseconds: Int, forwardedAt: NIODeadline?,
        upstreamNanoseconds: Int, endedAt: NIODeadline
    ) {
        self.context = context
        self.caller = caller
        self.counters = counters
        self.nanoseconds = nanoseconds
        self.forwardedAt = forwardedAt
        self.upstreamNanoseconds = upstreamNanoseconds
        self.endedAt = endedAt
    }
}
