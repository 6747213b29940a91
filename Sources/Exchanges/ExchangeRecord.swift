package import NIOCore

/// Figures of one request, for logs, metrics and traces, and for those who watch if it makes progress.
package struct ExchangeRecord {
    package var sentBodyBytes = 0
    package var receivedBodyBytes = 0
    /// The time at which the head was complete.
    package var startedAt = NIODeadline.uptimeNanoseconds(0)
    /// The time at which the response head was sent; before that, an earlier request's.
    package var respondedAt = NIODeadline.uptimeNanoseconds(0)
    /// The response was cut short: by the client, by a limit, or by `abort`.
    package var wasAborted = false

    package init() {}
}
