package import Decisions

/// The request context attached to an event.
///
/// Carried by the task, so that no function on the way has to pass it on.
package struct EventContext: Sendable {
    @TaskLocal package static var current: EventContext?

    package var requestID: String
    /// The client's address after trusted proxies.
    package var client: String
    package var userAgent: String?
    package var method: String
    package var path: String
    package var host: String
    /// 32 hexadecimal digits; nil: nothing is traced.
    package var traceID: String?
    package var trace: TraceState

    package init(
        requestID: String, client: String, userAgent: String?, method: String, path: String, host: String, traceID: String?,
        trace: TraceState
    ) {
        self.requestID = requestID
        self.client = client
        self.userAgent = userAgent
        self.method = method
        self.path = path
        self.host = host
        self.traceID = traceID
        self.trace = trace
    }
}
