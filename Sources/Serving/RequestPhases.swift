import Access
import Config
import Decisions
import Endpoints
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Proxy
import Server
import Sessions
import Telemetry

/// Carries out what `RequestDecider` decides about each request; one instance for each event loop and configuration (`LoopHandler` swaps
/// them). `docs/life-of-a-request.md` draws it.
///
/// It holds the log, the clock and the caches and takes no decision. It calls the decider, does the lookup that the outcome names, calls
/// the decider again, and carries out the last outcome.
final class RequestPhases: RequestHandler, ForwardObserver {
    let context: ServingContext
    let site: Site
    let decider: RequestDecider
    let streams: SessionStreams
    let metrics: LoopMetrics
    /// By the routes' index, the implicit one last.
    let routeCounters: [RouteCounters]
    /// Nil: not every request leaves a line.
    let access: AccessLog?
    let tracer: Tracer?
    /// Every decision is explained in the log.
    let logsDecisions: Bool
    let endpoints: Endpoints
    var reports = ConnectionReports()
    /// One for each upstream, by `Route.upstreamIndex`.
    let upstreams: [UpstreamGroup]
    var callers = KnownCallers()
    var ids = IDGenerator()
    var requestLines = LineBytes()

    init(_ context: ServingContext, resources: LoopResources) {
        self.context = context
        site = context.endpoints.site.decisions
        decider = RequestDecider(site)
        streams = resources.streams
        let metrics = resources.metrics
        self.metrics = metrics
        routeCounters = (site.routes.routes + [site.routes.implicit]).map { metrics.counters(of: $0.label) }
        access = context.operations.accessLog(context.endpoints.site.configuration.logging, on: resources.services.eventLoop)
        tracer = context.operations.tracer
        logsDecisions = context.log.isOn(.debug)
        endpoints = Endpoints(context.endpoints)
        upstreams = resources.adopt(context)
        streams.adopt(context)
    }

    /// Another configuration's phases, or none, come after these.
    func retire() { access?.flush() }

    // MARK: 1. Call the decider

    func handle(_ exchange: Exchange) {
        let connection = connection(of: exchange)
        // Once: each look through the exchange is a copy.
        let head = exchange.head
        if let auditGate = endpoints.auditGate { connection.request.isAuditClosed = auditGate.isClosed }
        let now = wallClock()
        let outcome = decider.begin(head, connection.request, now: now) { recognise($0, of: connection, now) }
        if case let route = connection.request.routeIndex, route >= 0 {
            connection.count(in: routeCounters[route])
            if let features = site.features[route] {
                exchange.idleLimit = features.idleTimeout
                exchange.bodyRate = features.bodyRate
            }
        }
        perform(outcome, exchange, head, connection, now: now)
    }

    /// The caller of a session cookie that this event loop has opened before; nil for any other.
    func recognise(_ cookie: RawSpan, of connection: ConnectionState, _ now: Int64) -> Caller? {
        let epoch = context.sessions.ends.value
        if connection.recognisesLast(for: cookie, epoch: epoch, now: now) {
            metrics.foundSession()
            return connection.caller
        }
        let hit = callers.sessions.find(cookie, epoch: epoch, now: now) { $0.mayHaveEnded(in: context.sessions.store, now: now) }
        guard let hit else { return nil }
        metrics.foundSession()
        connection.recognise(hit)
        return hit.caller
    }

    /// Calls the decider with the caller's credentials and carries out the outcome.
    func resume(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, knowing knowledge: consuming CallerKnowledge, now: Int64
    ) {
        let outcome = decider.resume(head, connection.request, knowing: knowledge, now: now)
        perform(outcome, exchange, head, connection, now: now)
    }

    /// `isNew`: the request has not been given an id yet.
    @inline(__always)
    func connection(of exchange: Exchange, isNew: Bool = true) -> ConnectionState {
        let connection: ConnectionState
        if let known = exchange.connectionState as? ConnectionState, known.generation == context.generation || !isNew {
            connection = known
        } else {
            connection = ConnectionState(
                exchange, trusted: site.trustedProxies, generation: context.generation, counters: metrics.refused)
            exchange.connectionState = connection
        }
        if isNew {
            metrics.began()
            connection.begin(ids.nextRequestID())
            connection.request.upstreamSpan = ids.next() | 1
            if connection.peer.isTrusted { connection.request.requestID.given = connection.request.givenID(exchange.head) }
            if let tracer { beginTrace(exchange.head, connection, tracer) }
        }
        return connection
    }

    /// The caller's trace goes on, or one starts here under the request's id.
    func beginTrace(_ head: RequestHead, _ connection: ConnectionState, _ tracer: Tracer) {
        var continued: TraceState?
        if let value = head.value(.traceparent, in: head.bytes.byteSpan) { continued = TraceState(traceparent: value) }
        var trace = continued ?? TraceState()
        if continued == nil {
            trace.isActive = true
            trace.high = connection.requestID.high
            trace.low = connection.requestID.low
        }
        if continued == nil || !tracer.options.followsParent { trace.isSampled = tracer.samples(trace.low) }
        trace.span = ids.next() | 1
        connection.request.trace = trace
    }

    /// Runs `body`; events in it carry the context of this request.
    func observed(_ exchange: Exchange, _ connection: ConnectionState, _ body: () -> Void) {
        EventContext.$current.withValue(connection.context(exchange), operation: body)
    }

    // MARK: 2. Carry out the outcome

    func perform(
        _ outcome: consuming RequestOutcome, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        switch consume outcome {
        case .forward(let plan): forward(plan, exchange, head, connection, now: now)
        case .answer(let answer, let cookies): send(answer, cookies, exchange, head, connection, now: now)
        case .endpoint(let path):
            connection.count(in: metrics.own)
            EventContext.$current.withValue(connection.context(exchange)) {
                StoreBudget.$current.withValue(connection.storeBudget) { endpoints.handle(exchange, connection.request, path: path) }
            }
        case .loadSession(let credential): load(credential, exchange, head, connection, now: now)
        case .verifyToken(let token, let nonce, let bearer): verify(token, nonce: nonce, bearer, exchange, head, connection, now: now)
        case .refresh(let caller): refresh(exchange, connection, caller)
        }
    }

    func forward(
        _ plan: consuming ForwardPlan, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        count(connection)
        if logsDecisions { logDecision(exchange, connection, now) }
        if connection.request.isQuestion { return letPass(plan, exchange, head, connection, now: now) }
        if plan.cookies != .none, let lines = cookieLines(plan.cookies, plan.caller, head, now) {
            plan.response = decider.responseEdits(plan, adding: lines, connection.request)
        }
        let upstream = upstreams[plan.permit.route.upstreamIndex]
        let leftOutIdentity = site.headWriter.write(
            head, connection.request, plan, now: now, into: &requestLines)
        if plan.features != nil, let caller = plan.caller, let omissions = caller.takeOmissions(on: plan.permit.route.index) {
            log(omissions, of: caller, connection, route: plan.permit.route)
        }
        var authenticatesConnection = false
        if head.authenticatesConnection { authenticatesConnection = ConnectionAuthentication.isSent(in: requestLines.bytes) }
        if authenticatesConnection, connectionOwner(of: exchange) == nil {
            return refuse(
                exchange, connection, status: 403, code: "proxy/connection-authentication", reason: "connection-authentication")
        }
        if leftOutIdentity { logSpoofing(exchange, connection, plan.permit.route) }
        connection.forwardedAt = connection.forwardedAt ?? exchange.record.startedAt
        upstream.forward(
            requestLines, from: head, plan, site.headWriter, leftOutIdentity: leftOutIdentity,
            authenticatesConnection: authenticatesConnection, of: exchange, observer: self)
    }

    /// NTLM and Negotiate authenticate a connection: it must be one client's, or serve one session of the many that a proxy puts on it. An
    /// HTTP/2 connection carries several requests at once, for which neither is defined.
    func connectionOwner(of exchange: Exchange) -> ConnectionOwner? {
        guard !exchange.speaksHTTP2, let connection = exchange.connectionState as? ConnectionState else { return nil }
        if let caller = connection.caller { return caller.isBearer ? nil : .session(caller.session.id) }
        return connection.peer.isTrusted || exchange.peer.isLocalSocket ? nil : .noSession
    }

    /// Counts the verdict of the route's rule.
    func count(_ connection: ConnectionState) {
        guard let verdict = connection.request.verdict else { return }
        connection.counters.decided(verdict)
    }

    /// The most header names in one line of the log.
    static let namesInLine = 5

    /// Logs that a client sent headers that only the gateway may set. They were removed. One line for each request.
    func logSpoofing(_ exchange: Exchange, _ connection: ConnectionState, _ route: Route) {
        let headers = site.headWriter.identityHeaders(in: exchange.head)
        guard headers.count > 0 else { return }
        for name in headers.names { context.operations.counters.add(.strippedHeaders, name) }
        observed(exchange, connection) {
            context.log.write(
                .notice, "identity-header-stripped", "removed identity headers that the client sent",
                [
                    ("header", .text(headers.names.prefix(Self.namesInLine).joined(separator: ", "))), ("count", .number(headers.count)),
                    ("reason", .text("identity-header")), ("route", .text(route.label)), ("request_id", .text(connection.requestID.text)),
                ])
        }
    }
}
