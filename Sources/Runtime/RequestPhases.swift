import Access
import Accounts
import Config
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Proxy
import Server
import Sessions
import SignIn

/// The way of one request, in order; one instance for each event loop and configuration (`LoopHandler` swaps them).
/// `docs/life-of-a-request.md` draws it.
///
/// 1. `handle`: an id, the path's policy, the route. Own endpoints part here and never reach an upstream.
/// 2. `authenticate`: the session cookie, from the loop's cache or opened.
/// 3. `refreshIfDue`: leaves the loop and comes back.
/// 4. `decide`: a permit, a challenge or a denial.
/// 5. `forward`: takes the permit; identity headers, forwarding headers, the upstream's pool.
final class RequestPhases: RequestHandler, ForwardObserver {
    let core: GatewayCore
    let snapshot: Snapshot
    /// The snapshot's, copied: each request holds some of these, and what all loops hold all threads would count references to.
    private let routes: RouteTable
    private let responseEdits: CommonResponseEdits
    private let resources: LoopResources
    private let metrics: LoopMetrics
    /// By the routes' index, the implicit one last.
    private let routeCounters: [RouteCounters]
    /// Of requests that have no route yet.
    private let refusedCounters: Unmanaged<RouteCounters>
    /// Nil: not every request leaves a line.
    private let access: AccessLog?
    private let tracer: Tracer?
    /// Every decision is explained in the log.
    private let tellsDecisions: Bool
    let endpoints: Endpoints
    private let auditGate: AuditGate?
    private var refusals = LogBursts<ConnectionRefusal>()
    private var acceptFailures = LogBursts<CInt>()
    private var failedHandshakes = LogBursts<String>()
    private var closedForDescriptors = LogBursts<Bool>()
    /// One for each upstream, by `Route.upstreamIndex`.
    private let upstreams: [UpstreamGroup]
    private var cache = SessionCache()
    private var bearerCache = BearerCache()
    private var reportedOmissions = ReportedOmissions()
    private var ids = IDGenerator()
    private var scratch: [UInt8] = []
    private var forwardingLines = LineBytes()
    private var requestLines = LineBytes()

    init(core: GatewayCore, resources: LoopResources) {
        self.core = core
        snapshot = core.snapshot
        routes = snapshot.routes.copy()
        responseEdits = CommonResponseEdits(cookies: snapshot.cookieNames, hstsLine: snapshot.hstsLine)
        self.resources = resources
        let metrics = resources.metrics
        self.metrics = metrics
        refusedCounters = .passUnretained(metrics.refused)
        routeCounters = (snapshot.routes.routes + [snapshot.routes.implicit]).map { metrics.counters(of: $0) }
        access = core.operations.accessLog(core.snapshot.configuration.logging, on: resources.services.eventLoop)
        tracer = core.operations.tracer
        tellsDecisions = core.log.isOn(.debug)
        endpoints = Endpoints(core: core)
        auditGate = endpoints.auditGate
        upstreams = resources.adopt(core.snapshot, log: core.log)
        resources.streams.adopt(core)
    }

    /// Another configuration's phases, or none, come after these.
    func retire() { access?.flush() }

    // MARK: 1. Route

    func handle(_ exchange: Exchange) {
        let connection = connection(of: exchange)
        // Once: each look through the exchange is a copy.
        let head = exchange.head
        if let tls = exchange.tls, !isMeant(head, tls) {
            return refuse(exchange, connection, status: 421, code: "proxy/misdirected-request", reason: "tls-name")
        }
        if snapshot.hasCrossOrigin, answerPreflight(exchange) { return }
        switch resolve(head) {
        case .matched(let match):
            connection.count(in: routeCounters[match.route.index])
            if let features = snapshot.features[match.route.index] { prepare(exchange, connection, features) }
            if let auditGate, auditGate.isClosed, !match.route.policy.isPublic {
                return endpoints.refuseWithoutAudit(exchange, connection)
            }
            authenticate(exchange, head, connection, match)
        case .own(let path):
            connection.count(in: metrics.own)
            EventContext.$current.withValue(connection.context(exchange)) { endpoints.handle(exchange, connection, path: path) }
        case .refused(let refusal):
            refuse(exchange, connection, status: 400, code: "proxy/bad-request", reason: refusal.rawValue)
        case .unknownHost:
            refuse(exchange, connection, status: 421, code: "proxy/misdirected-request", reason: "unknown-host")
        }
    }

    /// The request is for a host that its TLS connection was opened for.
    private func isMeant(_ head: RequestHead, _ tls: TLSIdentity) -> Bool {
        withBytes(of: head.bytes) { bytes, _ in tls.covers(authority: head.slice(head.authorityRange, bytes)) }
    }

    /// `isNew`: the request has not been given an id yet.
    private func connection(of exchange: Exchange, isNew: Bool = true) -> ConnectionState {
        let connection: ConnectionState
        if let known = exchange.connectionState.map(ConnectionState.of), known.generation == core.generation || !isNew {
            connection = known
        } else {
            connection = ConnectionState(
                exchange, trusted: snapshot.trustedProxies, generation: core.generation, counters: refusedCounters)
            exchange.connectionState = connection
        }
        if isNew {
            metrics.began()
            connection.begin(ids.nextRequestID(), counters: refusedCounters)
            if connection.peer.isTrusted { connection.request.requestID.given = connection.request.givenID(exchange.head) }
            if let tracer { beginTrace(exchange.head, connection, tracer) }
            connection.request.upstreamSpan = ids.next() | 1
        }
        return connection
    }

    /// The caller's trace goes on, or one starts here under the request's id.
    private func beginTrace(_ head: RequestHead, _ connection: ConnectionState, _ tracer: Tracer) {
        let continued =
            head.has(.traceparent)
            ? withBytes(of: head.bytes) { bytes, _ in head.value(.traceparent, bytes).flatMap { TraceState(traceparent: $0) } } : nil
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
    private func observed(_ exchange: Exchange, _ connection: ConnectionState, _ body: () -> Void) {
        EventContext.$current.withValue(connection.context(exchange), operation: body)
    }

    /// `field`: the one whose value stands for the method, nil: the method itself.
    func resolve(_ head: RequestHead, methodIn field: KnownField? = nil) -> RouteResolution {
        withBytes(of: head.bytes) { bytes, _ in
            let method = field.flatMap { head.value($0, bytes) } ?? head.slice(head.methodRange, bytes)
            let host = head.slice(head.authorityRange, bytes)
            if head.pathRange.isEmpty && !head.isAsteriskForm {
                // Absolute-form without a path is forwarded as `/` (RFC 9112 section 3.2.1).
                return withUnsafeBytes(of: UInt8(ascii: "/")) {
                    routes.resolve(method: method, host: host, path: $0, scratch: &scratch)
                }
            }
            return routes.resolve(method: method, host: host, path: head.slice(head.pathRange, bytes), scratch: &scratch)
        }
    }

    // MARK: 2. Authenticate

    private func authenticate(_ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, _ match: RouteMatch) {
        let now = wallClock()
        if let bearer = match.route.bearer, presentsToken(exchange, connection, match, bearer, now: now) { return }
        switch openSession(head, of: connection, now: now) {
        case .anonymous:
            decide(exchange, head, connection, match, opened: nil, now: now, cookies: nil)
        case .invalid(let refusal):
            observed(exchange, connection) {
                core.log.write(
                    .info, "session-refused", "session cookie ignored",
                    [("reason", .text(refusal.rawValue)), ("request_id", .text(connection.requestID.text))])
            }
            decide(exchange, head, connection, match, opened: nil, now: now, cookies: .remove(hadSession: refusal.isEnd))
        case .opened(let opened):
            if now >= opened.refreshAt,
                !match.route.policy.isPublic || snapshot.features[match.route.index]?.requestLines?.usesAccessToken == true,
                snapshot.configuration.session.refresh
            {
                refresh(exchange, connection, match, opened.session)
            } else {
                decide(exchange, head, connection, match, opened: opened, now: now, cookies: nil)
            }
        }
    }

    private enum OpenedCookie {
        case anonymous
        case opened(OpenedSession)
        case invalid(Authentication.Refusal)
    }

    private func openSession(_ head: RequestHead, of connection: ConnectionState, now: Int64) -> OpenedCookie {
        guard head.has(.cookie) else { return .anonymous }
        return withBytes(of: head.bytes) { bytes, _ in
            let found = head.sessionCookies(bytes, snapshot.cookies)
            connection.request.bringsOurCookiesOnly = found.areAllOurs
            let value = found.value()
            switch value {
            case .absent: return .anonymous
            case .refused(let refusal): return .invalid(refusal)
            case .whole(let cookie): return openSession(value, cookie, of: connection, now)
            case .joined(let joined): return joined.withUnsafeBytes { openSession(value, $0, of: connection, now) }
            }
        }
    }

    private func openSession(
        _ value: SessionCookieValue, _ cookie: UnsafeRawBufferPointer, of connection: ConnectionState, _ now: Int64
    ) -> OpenedCookie {
        let epoch = core.sessions.epoch
        if let last = connection.lastSession, last.isCurrent(for: cookie, epoch: epoch, now: now) { return .opened(last) }
        let hit = cache.find(cookie, epoch: epoch, now: now) { $0.isEnded(in: core.sessions, limits: snapshot.limits, now: now) }
        if let hit { return .opened(hit) }
        switch core.sessions.authenticate(value, by: core.authenticator, now: now) {
        case .anonymous: return .anonymous
        case .invalid(let refusal): return .invalid(refusal)
        case .session(let session):
            let opened = OpenedSession(session, cookie: Array(cookie), snapshot: snapshot)
            logOmissions(opened, connection)
            if snapshot.seal.takeLegacyNotice() { logLegacyCookie() }
            cache.insert(opened, epoch: epoch)
            return .opened(opened)
        }
    }

    private func logLegacyCookie() {
        guard core.onceNotices.isFirst("legacy-session-cookie") else { return }
        core.log.write(
            .notice, "legacy-session-cookie", "accepted a session cookie of an earlier version, which is not bound to publicURL", [])
    }

    private func logOmissions(_ opened: OpenedSession, _ connection: ConnectionState) {
        for omission in opened.omissions { logOmission(omission, opened, connection, route: nil) }
    }

    /// Reports a header that lacks a part of its value, not for each request. `route`: nil for a header of every route.
    func logOmission(_ omission: HeaderOmission, _ opened: OpenedSession, _ connection: ConnectionState, route: Route?) {
        guard reportedOmissions.isNew(omission, uid: opened.session.uid, route: route?.index) else { return }
        var fields: [(String, EventLog.Value)] = [
            ("header", .text(omission.header)), ("reason", .text(omission.reason.words)), ("uid", .text(opened.session.uid)),
        ]
        if !omission.groups.isEmpty {
            fields.append(("groups", .text(omission.groups.map { $0.shortened(to: LogLimit.name) }.joined(separator: " | "))))
        }
        if let route { fields.append(("route", .text(route.label))) }
        fields.append(("request_id", .text(connection.requestID.text)))
        core.log.write(.notice, "identity-header-incomplete", "identity header sent without part of its value", fields)
    }

    // MARK: 2b. A token instead of a session

    /// True when the request brings a token, which then decides alone: a cookie beside it does not count.
    private func presentsToken(
        _ exchange: Exchange, _ connection: ConnectionState, _ match: RouteMatch, _ bearer: BearerConfiguration, now: Int64
    ) -> Bool {
        switch BearerRequest(exchange.head, bearer) {
        case .none: return false
        case .malformed(let problem):
            refuseToken(exchange, connection, problem, provider: nil)
        case .token(let token, let nonce):
            if let hit = bearerCache.find(token.hash, epoch: core.sessions.epoch, now: now), hit.admits(bearer, nonce: nonce) {
                decide(exchange, exchange.head, connection, match, opened: hit.opened, now: now, cookies: nil)
                return true
            }
            let pending = PendingAnswer(exchange)
            let tokens = core.bearerTokens
            let client = ClientShare(connection.client(exchange))
            let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
            Task {
                let verdict = await tokens.verify(token, providers: bearer.providers, from: client)
                pending.onLoop { exchange in
                    guard let connection = exchange.connectionState as? ConnectionState else { return }
                    bound.value.verified(exchange, connection, match, bearer, token, nonce: nonce, verdict)
                }
            }
        }
        return true
    }

    private func verified(
        _ exchange: Exchange, _ connection: ConnectionState, _ match: RouteMatch, _ bearer: BearerConfiguration, _ token: PresentedToken,
        nonce: String?, _ verdict: BearerTokens.Verdict
    ) {
        let now = wallClock()
        switch verdict {
        case .refused(let refusal, let provider):
            refuseToken(exchange, connection, BearerProblem(refusal), provider: provider)
        case .unavailable(let reason, let provider):
            refuseToken(exchange, connection, .unavailable(reason), provider: provider)
        case .accepted(let accepted):
            guard !core.sessions.isEnded(token: token.text, now: now) else {
                return refuseToken(
                    exchange, connection, .invalidToken("its session has ended"), provider: accepted.provider)
            }
            guard !core.sessions.isEnded(accepted.session, limits: snapshot.limits, now: now) else {
                return refuseToken(
                    exchange, connection, .invalidToken("the provider ended its session"), provider: accepted.provider)
            }
            let opened = OpenedSession(bearer: accepted, snapshot: snapshot)
            logOmissions(opened, connection)
            let entry = BearerCache.Entry(opened: opened, nonce: accepted.nonce, isIDToken: accepted.isIDToken)
            guard entry.admits(bearer, nonce: nonce) else {
                return refuseToken(exchange, connection, BearerProblem(.nonce), provider: accepted.provider)
            }
            bearerCache.insert(entry, token.hash)
            decide(exchange, exchange.head, connection, match, opened: opened, now: now, cookies: nil)
        }
    }

    private func refuseToken(_ exchange: Exchange, _ connection: ConnectionState, _ problem: BearerProblem, provider: String?) {
        observed(exchange, connection) {
            core.log.write(
                .info, "token-refused", "bearer token refused",
                [
                    ("reason", .text(problem.reason)), ("code", .text(problem.code)), ("status", .number(problem.status)),
                    ("provider", .text(provider ?? "")), ("request_id", .text(connection.requestID.text)),
                ])
        }
        endpoints.answers.bearerProblem(problem, requestID: connection.requestID).send(on: exchange)
    }

    // MARK: 3. Refresh

    private func refresh(_ exchange: Exchange, _ connection: ConnectionState, _ match: RouteMatch, _ session: Session) {
        let pending = PendingAnswer(exchange)
        let refresher = core.refresher
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        let context = connection.context(exchange)
        Task {
            let outcome = await EventContext.$current.withValue(context) { await refresher.current(session) }
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                bound.value.refreshed(exchange, connection, match, before: session, outcome)
            }
        }
    }

    private func refreshed(
        _ exchange: Exchange, _ connection: ConnectionState, _ match: RouteMatch, before: Session, _ outcome: Refresher.Outcome
    ) {
        let now = wallClock()
        // A copy of the cookie must not outlive what the provider has ended.
        if case .ended = outcome { core.sessions.revoke(before, limits: snapshot.limits, now: now) }
        guard case .session(let session) = outcome, case .session = core.sessions.check(session, by: core.authenticator, now: now)
        else {
            return decide(exchange, exchange.head, connection, match, opened: nil, now: now, cookies: .remove(hadSession: true))
        }
        let isNew = session.generation != before.generation
        // A remembered result carries the idle stamp of its refresh, not of this request.
        let current = isNew ? snapshot.limits.renewed(session, now: now) : session
        if isNew { core.sessions.activity.note(session.id, now: now) }
        let opened = OpenedSession(current, cookie: [], snapshot: snapshot)
        logOmissions(opened, connection)
        // The wait for the provider was not the upstream's.
        connection.forwardedAt = exchange.eventLoop.now
        decide(exchange, exchange.head, connection, match, opened: opened, now: now, cookies: isNew ? .set : nil)
    }

    // MARK: 4. Decide

    private enum CookieChange: Equatable {
        case set
        /// `hadSession`: they held one that has ended; else nothing proves that they ever did.
        case remove(hadSession: Bool)
    }

    private func decide(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, _ match: RouteMatch, opened: OpenedSession?,
        now: Int64, cookies: CookieChange?
    ) {
        connection.recognise(opened)
        if tellsDecisions { tellDecision(exchange, connection, match.route, opened?.session, now) }
        let decision = opened.map { $0.permits.decide(for: match, signedIn: $0.session, now: now) } ?? Decision(forNobodyOn: match)
        switch decision {
        case .permit(let permit):
            connection.count { $0.decided(permit.route.policy.isPublic ? .public : .allow) }
            forward(exchange, head, connection, permit, opened: opened, now: now, cookies: cookies)
        case .challenge:
            connection.count { $0.decided(.challenge) }
            challenge(exchange, connection, match.route, cookies)
        case .deny(let denial):
            connection.count { $0.decided(.deny) }
            observed(exchange, connection) {
                core.log.write(
                    .notice, "access-denied", "access denied by rule",
                    [
                        ("reason", .text("rule")), ("code", .text(denial.code.rawValue)), ("route", .text(denial.route.label)),
                        ("trace", .text(denial.trace.map(\.description).joined(separator: "; "))),
                        ("uid", .text(opened?.session.uid ?? "")), ("provider", .text(opened?.session.identity.provider ?? "")),
                        ("request_id", .text(connection.requestID.text)),
                    ])
            }
            var answer = endpoints.answers.denial(
                denial, of: opened?.session.identity, for: head, requestID: connection.requestID)
            if cookies == .set, let opened { answer.setCookies(sessionLines(opened.session, head)) }
            answer.send(on: exchange)
        }
    }

    /// Logs the output of `gateway trace` for a request that is being served; its request id finds it.
    private func tellDecision(_ exchange: Exchange, _ connection: ConnectionState, _ route: Route, _ session: Session?, _ now: Int64) {
        let rule = route.isImplicit ? AccessRule.authenticated : snapshot.configuration.routes[route.index].access
        let verdicts = RuleExplanation.verdicts(of: rule, for: session, now: now)
        core.log.write(
            .debug, "request-trace", "route and verdict of its rule",
            [
                ("request_id", .text(connection.requestID.text)), ("method", .text(exchange.head.loggedMethod)),
                ("path", .text(exchange.head.loggedPath)), ("route", .text(route.label)), ("line", .number(route.line)),
                ("uid", .text(session?.uid ?? "")),
                (
                    "access",
                    .text(
                        verdicts.map { "\($0.holds ? "+" : "-") \($0.condition)" + ($0.reason.map { ": " + $0 } ?? "") }.joined(
                            separator: " | "))
                ),
            ])
    }

    /// Answers a request without a session: a redirect to the sign-in for browsers, 401 for other clients.
    private func challenge(_ exchange: Exchange, _ connection: ConnectionState, _ route: Route, _ cookies: CookieChange?) {
        let hadSession = cookies == .remove(hadSession: true)
        core.log.write(
            .info, "sign-in-required", "sign-in required",
            [
                ("reason", .text(hadSession ? "session-expired" : "not-signed-in")),
                ("code", .text(hadSession ? "auth/session-expired" : "auth/login-required")), ("route", .text(route.label)),
                ("request_id", .text(connection.requestID.text)),
            ])
        var answer = endpoints.answers.challenge(for: exchange.head, hadSession: hadSession, requestID: connection.requestID)
        if case .remove = cookies { answer.setCookies(snapshot.cookies.deletionLines(existingNames: cookieNames(exchange.head))) }
        answer.send(on: exchange)
    }

    // MARK: 5. Forward

    private func forward(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, _ permit: Permit, opened: OpenedSession?, now: Int64,
        cookies: CookieChange?
    ) {
        let features = snapshot.features[permit.route.index]
        if let features, !admits(exchange, connection, permit, features, opened) { return }
        if let fixed = features?.fixed {
            return answer(
                exchange, connection, permit, fixed, features, isPrivate: opened != nil,
                added: addedLines(head, opened, now, cookies))
        }
        guard permit.route.upstreamIndex >= 0 else {
            return refuse(exchange, connection, status: 502, code: "proxy/bad-gateway", reason: "route-without-upstream")
        }
        if head.has(.via), isLoop(head) {
            return refuse(exchange, connection, status: 508, code: "proxy/loop-detected", reason: "via-loop")
        }
        if head.method == .options, head.has(.maxForwards) {
            switch head.text(.maxForwards).flatMap({ MaxForwards($0) }) {
            case nil: return refuse(exchange, connection, status: 400, code: "proxy/bad-request", reason: "max-forwards-invalid")
            case .some(let hops) where hops.count == 0:
                // The last recipient (RFC 9110 section 7.6.2).
                return Answer(status: 204, headers: [("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")]).send(on: exchange)
            case .some: break
            }
        }
        let bodyLimit = features?.bodyLimit ?? snapshot.configuration.server.limits.bodyBytes
        if case .length(let length) = head.framing, let bodyLimit, length > bodyLimit {
            return refuse(exchange, connection, status: 413, code: "proxy/content-too-large", reason: WireError.bodyTooLarge.rawValue)
        }
        let upgrade = head.has(.upgrade) ? head.upgrade(among: features?.upgrades ?? RouteFeatures.standardUpgrades) : nil
        if upgrade != nil, !(features?.webSocketOrigins ?? snapshot.ownOrigins).mayUpgrade(head) {
            return refuse(exchange, connection, status: 403, code: "proxy/origin-not-allowed", reason: "websocket-origin")
        }
        let keepsTracestate = ForwardingLines.write(head, &connection.request, into: &forwardingLines)
        var surroundings = RequestSurroundings(
            isPeerTrusted: connection.peer.isTrusted, keepsTracestate: keepsTracestate,
            identityLines: opened?.identityLines ?? ByteBuffer(), bodyLimit: bodyLimit,
            response: responseEdits.edits(
                addedLines: addedLines(head, opened, now, cookies), isPrivate: opened != nil, features,
                crossOriginLines: connection.request.crossOriginLines))
        if let features { add(features, opened, permit.route, connection, exchange, to: &surroundings) }
        if let assertion = snapshot.assertion, let opened {
            surroundings.assertionLine = opened.assertionLine(assertion, for: permit.route, now: now)
        }
        if let opened, opened.isBearer { surroundings.dropsAuthorization = permit.route.bearer?.forward == false }
        surroundings.dropsCookies = connection.request.bringsOurCookiesOnly
        surroundings.upgrade = upgrade
        let upstream = upstreams[permit.route.upstreamIndex]
        let leftOutIdentity = snapshot.requestWriter.write(
            head, permit: permit, surroundings, forwarding: forwardingLines.bytes, into: &requestLines)
        let request = upstream.spareRequest().request(
            requestLines.bytes, from: head, surroundings, snapshot.requestWriter, leftOutIdentity: leftOutIdentity)
        if request.leftOutIdentity { tellSpoofing(exchange, connection, permit.route) }
        connection.forwardedAt = connection.forwardedAt ?? exchange.startedAt
        upstream.forward(request, of: exchange, observer: self)
    }

    /// The most header names in one line of the log.
    private static let namesInLine = 5

    /// Logs that a client sent headers that only the gateway may set. They were removed. One line for each request.
    private func tellSpoofing(_ exchange: Exchange, _ connection: ConnectionState, _ route: Route) {
        let headers = snapshot.requestWriter.identityHeaders(in: exchange.head)
        guard headers.count > 0 else { return }
        for name in headers.names { core.operations.counters.add(.strippedHeaders, name) }
        observed(exchange, connection) {
            core.log.write(
                .notice, "identity-header-stripped", "removed identity headers that the client sent",
                [
                    ("header", .text(headers.names.prefix(Self.namesInLine).joined(separator: ", "))), ("count", .number(headers.count)),
                    ("reason", .text("identity-header")), ("route", .text(route.label)), ("request_id", .text(connection.requestID.text)),
                ])
        }
    }

    /// The request has been here before (RFC 9110 section 7.6.3).
    private func isLoop(_ head: RequestHead) -> Bool {
        head.fields.contains { $0.known == .via && head.text($0.valueStart, $0.valueLength).contains(RequestHeadWriter.pseudonym) }
    }

    /// The `Set-Cookie` lines of a response: the refreshed session, or the old one with its idle limit stamped anew.
    private func addedLines(_ head: RequestHead, _ opened: OpenedSession?, _ now: Int64, _ cookies: CookieChange?) -> ByteBuffer? {
        guard let opened else {
            guard case .remove = cookies else { return nil }
            return Self.setCookieLines(snapshot.cookies.deletionLines(existingNames: cookieNames(head)))
        }
        if cookies == .set { return Self.setCookieLines(sessionLines(opened.session, head)) }
        guard now >= opened.renewalAt else { return nil }
        // For a tenth of the time after which the new cookie is due itself, and a second at most.
        let until = now + min(1_000, snapshot.limits.renewalInterval / 10)
        return opened.renewalLines(names: cookieNamesHash(head), now: now, until: until) {
            core.sessions.activity.note(opened.session.id, now: now)
            return Self.setCookieLines(sessionLines(snapshot.limits.renewed(opened.session, now: now), head))
        }
    }

    private static func setCookieLines(_ cookies: [String]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for cookie in cookies { buffer.writeString("Set-Cookie: \(cookie)\r\n") }
        return buffer
    }

    /// Of the names of all cookies that the request brings, in order.
    private func cookieNamesHash(_ head: RequestHead) -> Int {
        withBytes(of: head.bytes) { bytes, _ in
            var hasher = Hasher()
            for cookie in RequestCookies(head, bytes) {
                hasher.combine(cookie.name.count)
                hasher.combine(bytes: cookie.name)
            }
            return hasher.finalize()
        }
    }

    private func sessionLines(_ session: Session, _ head: RequestHead) -> [String] {
        do {
            return try snapshot.cookies.setCookieLines(for: session, seal: snapshot.seal, existingNames: cookieNames(head))
        } catch {
            core.log.write(.warning, "session-too-large", "\(error)", [("uid", .text(session.uid))])
            return []
        }
    }

    private func cookieNames(_ head: RequestHead) -> [String] {
        withBytes(of: head.bytes) { bytes, _ in RequestCookies(head, bytes).map { String(decoding: $0.name, as: UTF8.self) } }
    }

    // MARK: Refusals

    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        let connection = connection(of: exchange, isNew: exchange.head.bytes.readableBytes == 0)
        core.log.write(
            .info, "request-refused", "request refused: it violates HTTP or a limit",
            [
                ("reason", .text(error.rawValue)), ("status", .number(error.status)), ("peer", .text(exchange.peer.text)),
                ("request_id", .text(connection.requestID.text)),
            ])
        endpoints.answers.refusal(
            status: error.status, code: nil, isPage: resemblesBrowser || endpoints.answers.wantsPage(exchange.head),
            requestID: connection.requestID
        ).send(on: exchange)
    }

    func refuseLate(_ exchange: Exchange) {
        let connection = connection(of: exchange, isNew: exchange.head.bytes.readableBytes == 0)
        core.log.write(
            .info, "request-refused", "request refused: it did not arrive within server.timeouts.header",
            [("reason", .text("request-timeout")), ("status", .number(408)), ("request_id", .text(connection.requestID.text))])
        endpoints.answers.refusal(
            status: 408, code: nil, isPage: endpoints.answers.wantsPage(exchange.head), requestID: connection.requestID
        ).send(on: exchange)
    }

    func refuse(_ exchange: Exchange, _ connection: ConnectionState, status: Int, code: String, reason: String) {
        core.log.write(
            .info, "request-refused", "request refused",
            [("reason", .text(reason)), ("status", .number(status)), ("request_id", .text(connection.requestID.text))])
        if status == 400 { exchange.closeAfterResponse() }
        endpoints.answers.refusal(
            status: status, code: code, isPage: endpoints.answers.wantsPage(exchange.head), requestID: connection.requestID
        ).send(on: exchange)
    }

    func forward(_ exchange: Exchange, opened response: LongResponse) {
        guard let connection = exchange.connectionState as? ConnectionState, let opened = connection.person else { return }
        let now = wallClock()
        let token = opened.tokenExpiresAt.map { expiresAt in
            StreamToken(
                exchange.head.presentedToken, client: ClientShare(connection.client(exchange)), expiresAt: expiresAt,
                introspectedUntil: opened.introspectedUntil, now: now)
        }
        let stream = SessionStream(response, opened.session, token, on: exchange, requestID: connection.requestID, now: now)
        connection.stream = stream
        resources.streams.insert(stream)
    }

    func forward(_ exchange: Exchange, failed failure: ForwardFailure) {
        let connection = exchange.connectionState as? ConnectionState
        let requestID = connection?.requestID ?? RequestID()
        connection?.forwardedAt = nil
        connection?.counters.upstreamFailures[failure.reason, default: 0] += 1
        core.log.write(
            .warning, "upstream-failed", failure.reason.summary,
            [
                ("reason", .text(failure.reason.rawValue)), ("upstream", .text(failure.target)), ("detail", .text(failure.detail)),
                ("status", .number(failure.reason.status)),
                ("request_id", .text(requestID.text)),
            ])
        var answer = endpoints.answers.refusal(
            status: failure.reason.status, code: failure.reason.errorCode, isPage: endpoints.answers.wantsPage(exchange.head),
            requestID: requestID)
        if failure.reason == .busy { answer.add("Retry-After", "1") }
        answer.send(on: exchange)
    }

    func forward(_ exchange: Exchange, cutOff failure: ForwardFailure) {
        let connection = exchange.connectionState as? ConnectionState
        let requestID = connection?.requestID ?? RequestID()
        connection?.counters.upstreamFailures[failure.reason, default: 0] += 1
        core.log.write(
            .warning, "upstream-cut-off", "the upstream's response broke off; closed the client's connection",
            [
                ("reason", .text(failure.reason.rawValue)), ("upstream", .text(failure.target)), ("detail", .text(failure.detail)),
                ("request_id", .text(requestID.text)),
            ])
    }

    func handshakeFailed(_ peer: PeerAddress, reason: String) {
        guard let burst = failedHandshakes.note(reason, at: NIODeadline.now()) else { return }
        core.log.write(
            .info, "handshake-failed", "TLS handshakes with clients failed",
            [("reason", .text(reason)), ("peer", .text(peer.text)), ("count", .number(burst))])
    }

    /// The process runs out of descriptors, and so many idle connections were closed to free some.
    func closedIdleConnections(_ count: Int) {
        metrics.connectionsClosedForDescriptors += count
        guard let burst = closedForDescriptors.note(true, count: count, at: NIODeadline.now()) else { return }
        core.log.write(
            .warning, "idle-connections-closed",
            "closed idle client connections to free descriptors; raise `ulimit -n` or LimitNOFILE",
            [("count", .number(burst))])
    }

    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {
        metrics.connectionsRefused += 1
        guard let burst = refusals.note(refusal, at: NIODeadline.now()) else { return }
        core.log.write(
            .warning, "connection-refused", refusal.words,
            [("reason", .text(refusal.reason)), ("peer", .text(peer.text)), ("count", .number(burst))])
    }

    func acceptFailed(_ error: IOError) {
        guard acceptFailures.note(error.errnoCode, at: NIODeadline.now()) != nil else { return }
        core.log.write(
            .error, "accept-failed",
            "cannot accept connections; new clients wait; with EMFILE or ENFILE, raise `ulimit -n` or LimitNOFILE",
            [("reason", .text(error.description))])
    }

    func finished(_ exchange: Exchange) {
        guard let state = exchange.connectionState else { return }
        let connection = ConnectionState.of(state)
        let now = NIODeadline.now()
        let nanoseconds = Int(clamping: (now - exchange.startedAt).nanoseconds)
        metrics.ended &+= 1
        if let stream = connection.stream {
            connection.stream = nil
            resources.streams.remove(stream)
        }
        connection.count {
            $0.ended(method: exchange.head.method, status: exchange.status, nanoseconds: UInt64(max(0, nanoseconds)))
        }
        if let forwardedAt = connection.forwardedAt, exchange.respondedAt >= forwardedAt {
            connection.upstreamNanoseconds = Int(clamping: (exchange.respondedAt - forwardedAt).nanoseconds)
            connection.count { $0.upstream.add(UInt64(connection.upstreamNanoseconds)) }
        }
        if let access { access.append(exchange, connection, nanoseconds: nanoseconds, now: now) }
        if connection.trace.isSampled, let tracer {
            RequestSpans.record(exchange, connection, nanoseconds: nanoseconds, now: now, route: connection.counters.label, to: tracer)
        }
        if core.log.isOn(.debug) { logRequest(exchange, connection, nanoseconds) }
    }

    private func logRequest(_ exchange: Exchange, _ connection: ConnectionState, _ nanoseconds: Int) {
        let head = exchange.head
        let isEmpty = head.bytes.readableBytes == 0
        core.log.write(
            .debug, "request", "\(isEmpty ? "-" : head.loggedMethod) \(exchange.status)",
            [
                ("request_id", .text(connection.requestID.text)), ("path", .text(isEmpty ? "" : head.loggedPath)),
                ("status", .number(exchange.status)), ("bytes", .number(exchange.sentBodyBytes)), ("aborted", .flag(exchange.wasAborted)),
                ("milliseconds", .number(nanoseconds / 1_000_000)),
            ])
    }
}

extension RequestHead {
    /// Returns the session cookies among the request's cookies.
    func sessionCookies(_ bytes: UnsafePointer<UInt8>, _ cookies: SessionCookies) -> FoundCookies {
        var found = FoundCookies()
        var pairs = RequestCookies(self, bytes)
        while let pair = pairs.next() { found.add(pair.value, cookies.kind(of: pair.name)) }
        return found
    }
}

/// The cookie pairs of all `Cookie` lines of a request, in order.
struct RequestCookies: Sequence, IteratorProtocol {
    private let fields: [FieldLine]
    private let bytes: UnsafePointer<UInt8>
    private var line = 0
    private var value = UnsafeRawBufferPointer(start: nil, count: 0)
    private var pairs = CookieHeader(UnsafeRawBufferPointer(start: nil, count: 0))

    init(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>) {
        fields = head.fields
        self.bytes = bytes
    }

    mutating func next() -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        while true {
            if let pair = pairs.next() {
                return (UnsafeRawBufferPointer(rebasing: value[pair.name]), UnsafeRawBufferPointer(rebasing: value[pair.value]))
            }
            while line < fields.count, fields[line].known != .cookie { line += 1 }
            guard line < fields.count else { return nil }
            value = UnsafeRawBufferPointer(start: bytes + Int(fields[line].valueStart), count: Int(fields[line].valueLength))
            pairs = CookieHeader(value)
            line += 1
        }
    }
}
