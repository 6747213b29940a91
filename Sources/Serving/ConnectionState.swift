import Primitives
import Decisions
import Exchanges
import HTTPWire
import NIOCore
import Server
import Sessions
import Telemetry

/// The state of a client connection and of its current request.
final class ConnectionState {
    /// What the decision reads.
    let request: RequestContext
    /// Of the configuration that this was worked out with.
    let generation: Int

    /// The counters of requests without a route.
    private let unrouted: RouteCounters
    /// The counters of the last route: the next request mostly has the same.
    private var lastRoute: RouteCounters
    private var isRouted = false
    /// The session that the last cookie of the connection opened: the next request mostly has the same.
    private var lastSession: OpenedSession?
    /// The last signed-in caller of the connection; the request's if `isSignedIn`.
    private var lastCaller: Caller?
    private var isSignedIn = false
    /// The time at which the request was handed to an upstream; nil if it was not, or the upstream failed.
    var forwardedAt: NIODeadline?
    /// The time until the upstream's response began; negative when nothing was forwarded.
    var upstreamNanoseconds = -1
    /// The response is a tunnel or event stream that ends with its session.
    var stream: SessionStream?
    private var budget: StoreBudget?

    /// `counters`: those of requests without a route.
    init(_ exchange: Exchange, trusted: CIDRSet, generation: Int, counters: RouteCounters) {
        self.generation = generation
        unrouted = counters
        lastRoute = counters
        request = RequestContext(
            ConnectionFacts(
                peer: exchange.peer.text, isLocalSocket: exchange.peer.isLocalSocket, isSecure: exchange.isSecure, tls: exchange.tls,
                trusted: trusted))
    }

    var peer: ClientResolution.Peer { request.connection.peer }
    var requestID: RequestID { request.requestID }
    var trace: TraceState { request.trace }

    /// The caller of the request, if it is signed in.
    var caller: Caller? { isSignedIn ? lastCaller : nil }

    /// The last session is that of exactly these cookie bytes and counts: its caller is the request's.
    func recognisesLast(for cookie: RawSpan, epoch: Int, now: Int64) -> Bool {
        guard let lastSession, lastSession.isCurrent(for: cookie, epoch: epoch, now: now) else { return false }
        recognise(caller: lastSession.caller)
        return true
    }

    func recognise(_ opened: OpenedSession) {
        if opened !== lastSession { lastSession = opened }
        recognise(caller: opened.caller)
    }

    func recognise(caller: Caller) {
        isSignedIn = true
        if caller !== lastCaller { lastCaller = caller }
    }

    /// Nobody is signed in until the request is asked about again.
    func forgetCaller() { isSignedIn = false }

    /// What the request may wait for the session store.
    var storeBudget: StoreBudget {
        let budget = self.budget ?? StoreBudget()
        self.budget = budget
        return budget
    }

    /// The request is over: work for it that has not begun is dropped.
    @inline(__always)
    func endWork() { if let budget { budget.end() } }

    /// The next request of the connection.
    @inline(__always)
    func begin(_ id: RequestID) {
        request.begin(id)
        isRouted = false
        isSignedIn = false
        if budget != nil { budget = nil }
        forwardedAt = nil
        upstreamNanoseconds = -1
    }

    /// The request has this route from now on.
    @inline(__always)
    func count(in counters: RouteCounters) {
        isRouted = true
        if counters !== lastRoute { lastRoute = counters }
    }

    var counters: RouteCounters { isRouted ? lastRoute : unrouted }

    /// The client's address: the peer's, or what a trusted peer says of it.
    func client(_ exchange: Exchange) -> [UInt8] { request.client(exchange.head) }

    /// The request, for its access log line and its spans.
    func finished(nanoseconds: Int, at now: NIODeadline) -> FinishedRequest {
        FinishedRequest(
            request, caller, counters, nanoseconds: nanoseconds, forwardedAt: forwardedAt, upstreamNanoseconds: upstreamNanoseconds,
            endedAt: now)
    }

    /// The context for events of the request.
    func context(_ exchange: Exchange) -> EventContext {
        let head = exchange.head
        let isEmpty = head.bytes.readableBytes == 0
        var agent: String?
        if !isEmpty {
            agent = head.first(named: "user-agent").map {
                head.text(Int($0.valueStart)..<Int($0.valueStart) + Int($0.valueLength), limit: LogLimit.userAgent)
            }
        }
        return EventContext(
            requestID: requestID.text, client: String(decoding: client(exchange), as: UTF8.self), userAgent: agent,
            method: isEmpty ? "" : head.loggedMethod,
            path: isEmpty ? "" : head.loggedPath,
            host: isEmpty ? "" : head.loggedHost,
            traceID: trace.isActive && trace.isSampled ? trace.traceID : nil, trace: trace)
    }
}
