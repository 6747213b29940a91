import Decisions

/// The request context attached to an event.
///
/// Carried by the task, so that no function on the way has to pass it on.
struct EventContext: Sendable {
    @TaskLocal static var current: EventContext?

    var requestID: String
    /// The client's address after trusted proxies.
    var client: String
    var userAgent: String?
    var method: String
    var path: String
    var host: String
    /// 32 hexadecimal digits; nil: nothing is traced.
    var traceID: String?
    var trace: TraceState
}
