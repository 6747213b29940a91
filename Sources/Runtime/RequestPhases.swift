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

/// Carries out what `RequestDecider` decides about each request; one instance for each event loop and configuration (`LoopHandler` swaps
/// them). `docs/life-of-a-request.md` draws it.
///
/// It holds the log, the clock and the caches and takes no decision. It calls the decider, does the lookup that the outcome names, calls
/// the decider again, and carries out the last outcome.
final class RequestPhases: RequestHandler, ForwardObserver {
    let core: GatewayCore
    let snapshot: Snapshot
    private let site: Site
    private let decider: RequestDecider
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
    private let logsDecisions: Bool
    let endpoints: Endpoints
    private var reports = ConnectionReports()
    /// One for each upstream, by `Route.upstreamIndex`.
    private let upstreams: [UpstreamGroup]
    private var cache = SessionCache()
    private var bearerCache = BearerCache()
    private var reportedOmissions = ReportedOmissions()
    private var ids = IDGenerator()
    private var requestLines = LineBytes()

    init(core: GatewayCore, resources: LoopResources) {
        self.core = core
        snapshot = core.snapshot
        site = snapshot.site
        decider = RequestDecider(site)
        self.resources = resources
        let metrics = resources.metrics
        self.metrics = metrics
        refusedCounters = .passUnretained(metrics.refused)
        routeCounters = (snapshot.routes.routes + [snapshot.routes.implicit]).map { metrics.counters(of: $0) }
        access = core.operations.accessLog(core.snapshot.configuration.logging, on: resources.services.eventLoop)
        tracer = core.operations.tracer
        logsDecisions = core.log.isOn(.debug)
        endpoints = Endpoints(core: core)
        upstreams = resources.adopt(core.snapshot, log: core.log)
        resources.streams.adopt(core)
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
        let outcome = decider.begin(head, connection.request)
        if case let route = connection.request.routeIndex, route >= 0 {
            connection.count(in: routeCounters[route])
            if let features = site.features[route] {
                exchange.idleLimit = features.idleTimeout
                exchange.bodyRate = features.bodyRate
            }
        }
        switch consume outcome {
        case .loadSession(let credential): load(credential, exchange, head, connection, now: now)
        case let other: perform(other, exchange, head, connection, now: now)
        }
    }

    /// Calls the decider with the caller's credentials and carries out the outcome.
    private func resume(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, knowing knowledge: consuming CallerKnowledge, now: Int64
    ) {
        let outcome = decider.resume(head, connection.request, knowing: knowledge, now: now)
        perform(outcome, exchange, head, connection, now: now)
    }

    /// `isNew`: the request has not been given an id yet.
    private func connection(of exchange: Exchange, isNew: Bool = true) -> ConnectionState {
        let connection: ConnectionState
        if let known = exchange.connectionState.map(ConnectionState.of), known.generation == core.generation || !isNew {
            connection = known
        } else {
            connection = ConnectionState(
                exchange, trusted: site.trustedProxies, generation: core.generation, counters: refusedCounters)
            exchange.connectionState = connection
        }
        if isNew {
            metrics.began()
            connection.begin(ids.nextRequestID(), counters: refusedCounters)
            connection.request.upstreamSpan = ids.next() | 1
            if connection.peer.isTrusted { connection.request.requestID.given = connection.request.givenID(exchange.head) }
            if let tracer { beginTrace(exchange.head, connection, tracer) }
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

    // MARK: 2. Look up

    private func load(
        _ credential: SessionCredential, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        let found: Authentication?
        switch credential {
        case .whole(let range):
            found = withBytes(of: head.bytes) { bytes, _ in
                let cookie = head.slice(range, bytes)
                return open(.whole(cookie), cookie, of: connection, now)
            }
        case .joined(let joined): found = joined.withUnsafeBytes { open(.joined(joined), $0, of: connection, now) }
        case .refused(let refusal): found = .invalid(refusal)
        }
        switch found {
        case nil:
            guard let caller = connection.caller else { return resume(exchange, head, connection, knowing: .nobody, now: now) }
            resume(exchange, head, connection, knowing: .caller(caller), now: now)
        case .anonymous, .session: resume(exchange, head, connection, knowing: .nobody, now: now)
        case .invalid(let refusal):
            observed(exchange, connection) {
                core.log.write(
                    .info, "session-refused", "session cookie ignored",
                    [("reason", .text(refusal.rawValue)), ("request_id", .text(connection.requestID.text))])
            }
            resume(exchange, head, connection, knowing: .ended(hadSession: refusal.isEnd), now: now)
        }
    }

    /// nil: the connection's caller is known now.
    private func open(
        _ value: SessionCookieValue, _ cookie: UnsafeRawBufferPointer, of connection: ConnectionState, _ now: Int64
    ) -> Authentication? {
        let epoch = core.sessions.epoch
        if connection.recognisesLast(for: cookie, epoch: epoch, now: now) { return nil }
        let hit = cache.find(cookie, epoch: epoch, now: now) {
            $0.isEnded(in: core.sessions, limits: snapshot.limits, now: now)
        }
        if let hit {
            connection.recognise(hit)
            return nil
        }
        let found = core.sessions.authenticate(value, by: core.authenticator, now: now)
        guard case .session(let session) = found else { return found }
        let caller = Caller(session, snapshot.identity, snapshot.limits, now: now)
        log(caller.omissions, of: caller, connection, route: nil)
        if snapshot.seal.takeLegacyNotice() { logLegacyCookie() }
        let opened = OpenedSession(caller, cookie: Array(cookie))
        cache.insert(opened, epoch: epoch)
        connection.recognise(opened)
        return nil
    }

    private func logLegacyCookie() {
        guard core.onceNotices.isFirst("legacy-session-cookie") else { return }
        core.log.write(
            .notice, "legacy-session-cookie", "accepted a session cookie of an earlier version, which is not bound to publicURL", [])
    }

    /// Reports headers that lack a part of their value, not for each request. `route`: nil for a header of every route.
    private func log(_ omissions: [HeaderOmission], of caller: Caller, _ connection: ConnectionState, route: Route?) {
        for omission in omissions {
            guard reportedOmissions.isNew(omission, uid: caller.session.uid, route: route?.index) else { continue }
            var fields: [(String, EventLog.Value)] = [
                ("header", .text(omission.header)), ("reason", .text(omission.reason.words)), ("uid", .text(caller.session.uid)),
            ]
            if !omission.groups.isEmpty {
                fields.append(("groups", .text(omission.groups.map { $0.shortened(to: LogLimit.name) }.joined(separator: " | "))))
            }
            if let route { fields.append(("route", .text(route.label))) }
            fields.append(("request_id", .text(connection.requestID.text)))
            core.log.write(.notice, "identity-header-incomplete", "identity header sent without part of its value", fields)
        }
    }

    private func verify(
        _ token: PresentedToken, nonce: String?, _ bearer: BearerConfiguration, _ exchange: Exchange, _ head: RequestHead,
        _ connection: ConnectionState, now: Int64
    ) {
        if let hit = bearerCache.find(token.hash, epoch: core.sessions.epoch, now: now), hit.admits(bearer, nonce: nonce) {
            connection.recognise(caller: hit.caller)
            return resume(exchange, head, connection, knowing: .caller(hit.caller), now: now)
        }
        let pending = PendingAnswer(exchange)
        let tokens = core.bearerTokens
        let client = ClientShare(connection.client(exchange))
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        Task {
            let verdict = await tokens.verify(token, providers: bearer.providers, from: client)
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                let now = wallClock()
                let knowledge = bound.value.knowledge(of: verdict, token, nonce: nonce, bearer, connection, now: now)
                bound.value.resume(exchange, exchange.head, connection, knowing: knowledge, now: now)
            }
        }
    }

    private func knowledge(
        of verdict: BearerTokens.Verdict, _ token: PresentedToken, nonce: String?, _ bearer: BearerConfiguration,
        _ connection: ConnectionState, now: Int64
    ) -> CallerKnowledge {
        switch verdict {
        case .refused(let refusal, let provider): return .tokenRefused(BearerProblem(refusal), provider: provider)
        case .unavailable(let reason, let provider): return .tokenRefused(.unavailable(reason), provider: provider)
        case .accepted(let accepted):
            guard !core.sessions.isEnded(token: token.text, now: now) else {
                return .tokenRefused(.invalidToken("its session has ended"), provider: accepted.provider)
            }
            guard !core.sessions.isEnded(accepted.session, limits: snapshot.limits, now: now) else {
                return .tokenRefused(.invalidToken("the provider ended its session"), provider: accepted.provider)
            }
            let caller = Caller(bearer: accepted, snapshot.identity)
            log(caller.omissions, of: caller, connection, route: nil)
            let entry = BearerCache.Entry(caller: caller, nonce: accepted.nonce, isIDToken: accepted.isIDToken)
            guard entry.admits(bearer, nonce: nonce) else {
                return .tokenRefused(BearerProblem(.nonce), provider: accepted.provider)
            }
            bearerCache.insert(entry, token.hash)
            connection.recognise(caller: caller)
            return .caller(caller)
        }
    }

    private func refresh(_ exchange: Exchange, _ connection: ConnectionState, _ session: Session) {
        let pending = PendingAnswer(exchange)
        let refresher = core.refresher
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        let context = connection.context(exchange)
        connection.forgetCaller()
        Task {
            let outcome = await EventContext.$current.withValue(context) { await refresher.current(session) }
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                let now = wallClock()
                let knowledge = bound.value.knowledge(of: outcome, before: session, exchange, connection, now: now)
                bound.value.resume(exchange, exchange.head, connection, knowing: knowledge, now: now)
            }
        }
    }

    private func knowledge(
        of outcome: Refresher.Outcome, before: Session, _ exchange: Exchange, _ connection: ConnectionState, now: Int64
    ) -> CallerKnowledge {
        // A copy of the cookie must not outlive what the provider has ended.
        if case .ended = outcome { core.sessions.revoke(before, limits: snapshot.limits, now: now) }
        guard case .session(let session) = outcome, case .session = core.sessions.check(session, by: core.authenticator, now: now)
        else { return .ended(hadSession: true) }
        let isNew = session.generation != before.generation
        // A remembered result carries the idle stamp of its refresh, not of this request.
        let current = isNew ? snapshot.limits.renewed(session, now: now) : session
        if isNew { core.sessions.activity.note(session.id, now: now) }
        let caller = Caller(current, snapshot.identity, snapshot.limits, now: now)
        log(caller.omissions, of: caller, connection, route: nil)
        connection.recognise(caller: caller)
        // The wait for the provider was not the upstream's.
        connection.forwardedAt = exchange.eventLoop.now
        return .refreshed(caller, isNew: isNew)
    }

    // MARK: 3. Carry out the outcome

    private func perform(
        _ outcome: consuming RequestOutcome, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        switch consume outcome {
        case .forward(let plan): forward(plan, exchange, head, connection, now: now)
        case .answer(let answer, let cookies): send(answer, cookies, exchange, head, connection, now: now)
        case .endpoint(let path):
            connection.count(in: metrics.own)
            EventContext.$current.withValue(connection.context(exchange)) { endpoints.handle(exchange, connection, path: path) }
        case .loadSession(let credential): load(credential, exchange, head, connection, now: now)
        case .verifyToken(let token, let nonce, let bearer): verify(token, nonce: nonce, bearer, exchange, head, connection, now: now)
        case .refresh(let caller): refresh(exchange, connection, caller.session)
        }
    }

    private func forward(
        _ plan: consuming ForwardPlan, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        count(connection)
        if logsDecisions { logDecision(exchange, connection, now) }
        if !plan.omissions.isEmpty, let caller = plan.caller { log(plan.omissions, of: caller, connection, route: plan.permit.route) }
        if plan.cookies != .none, let lines = cookieLines(plan.cookies, plan.caller, head, now) {
            plan.options.response = decider.responseEdits(plan, adding: lines, connection.request)
        }
        let upstream = upstreams[plan.permit.route.upstreamIndex]
        let leftOutIdentity = site.headWriter.write(
            head, connection.request, permit: plan.permit, plan.options, into: &requestLines)
        let request = upstream.spareRequest().request(
            requestLines.bytes, from: head, plan.options, site.headWriter, leftOutIdentity: leftOutIdentity)
        if leftOutIdentity { logSpoofing(exchange, connection, plan.permit.route) }
        connection.forwardedAt = connection.forwardedAt ?? exchange.startedAt
        upstream.forward(request, of: exchange, observer: self)
    }

    /// Counts the verdict of the route's rule.
    private func count(_ connection: ConnectionState) {
        guard let verdict = connection.request.verdict else { return }
        connection.count { $0.decided(verdict) }
    }

    private func send(
        _ answer: GatewayAnswer, _ cookies: CookieChange, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState,
        now: Int64
    ) {
        count(connection)
        if logsDecisions, connection.request.verdict != nil { logDecision(exchange, connection, now) }
        switch answer {
        case .refusal(let status, let code, let reason): refuse(exchange, connection, status: status, code: code, reason: reason)
        case .auditUnavailable: endpoints.refuseWithoutAudit(exchange, connection)
        case .preflight(let answer): Answer(status: 204, headers: answer.headers, lines: answer.lines).send(on: exchange)
        case .token(let problem, let provider): refuseToken(exchange, connection, problem, provider: provider)
        case .challenge(let hadSession): challenge(exchange, connection, hadSession: hadSession, cookies)
        case .denial(let denial): deny(denial, cookies, exchange, head, connection)
        case .crossSite: refuseCrossSite(exchange, connection)
        case .fixed(let fixed): send(fixed, added: cookieLines(cookies, connection.caller, head, now), exchange, connection)
        case .lastRecipient:
            Answer(status: 204, headers: [("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")]).send(on: exchange)
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

    /// Logs the output of `gateway trace` for a request that is being served; its request id finds it.
    private func logDecision(_ exchange: Exchange, _ connection: ConnectionState, _ now: Int64) {
        guard let route = connection.request.match?.route else { return }
        let session = connection.caller?.session
        let verdicts = decider.verdicts(on: route, for: session, now: now)
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
    private func challenge(_ exchange: Exchange, _ connection: ConnectionState, hadSession: Bool, _ cookies: CookieChange) {
        core.log.write(
            .info, "sign-in-required", "sign-in required",
            [
                ("reason", .text(hadSession ? "session-expired" : "not-signed-in")),
                ("code", .text(hadSession ? "auth/session-expired" : "auth/login-required")),
                ("route", .text(connection.request.match?.route.label ?? "")), ("request_id", .text(connection.requestID.text)),
            ])
        var answer = endpoints.answers.challenge(for: exchange.head, hadSession: hadSession, requestID: connection.requestID)
        if case .remove = cookies { answer.setCookies(snapshot.cookies.deletionLines(existingNames: cookieNames(exchange.head))) }
        answer.send(on: exchange)
    }

    private func deny(
        _ denial: Denial, _ cookies: CookieChange, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState
    ) {
        let session = connection.caller?.session
        observed(exchange, connection) {
            core.log.write(
                .notice, "access-denied", "access denied by rule",
                [
                    ("reason", .text("rule")), ("code", .text(denial.code.rawValue)), ("route", .text(denial.route.label)),
                    ("trace", .text(denial.trace.map(\.description).joined(separator: "; "))),
                    ("uid", .text(session?.uid ?? "")), ("provider", .text(session?.identity.provider ?? "")),
                    ("request_id", .text(connection.requestID.text)),
                ])
        }
        var answer = endpoints.answers.denial(denial, of: session?.identity, for: head, requestID: connection.requestID)
        if cookies == .store, let session { answer.setCookies(sessionLines(session, head)) }
        answer.send(on: exchange)
    }

    private func refuseCrossSite(_ exchange: Exchange, _ connection: ConnectionState) {
        core.log.write(
            .notice, "cross-site-request", "request with a session refused: its origin is another site",
            [
                ("reason", .text("csrf-origin")), ("code", .text("auth/cross-site-request")),
                ("route", .text(connection.request.match?.route.label ?? "")), ("uid", .text(connection.caller?.session.uid ?? "")),
                ("request_id", .text(connection.requestID.text)),
            ])
        endpoints.answers.refusal(
            status: 403, code: "auth/cross-site-request", isPage: endpoints.answers.wantsPage(exchange.head),
            requestID: connection.requestID
        ).send(on: exchange)
    }

    /// An answer that needs no upstream. `added`: cookies of ours.
    private func send(_ fixed: FixedAnswer, added: ByteBuffer?, _ exchange: Exchange, _ connection: ConnectionState) {
        let edits = fixed.features.responseEdits
        let mustBePrivate = fixed.isPrivate || added != nil
        var lines = edits?.ownLines(isPrivate: mustBePrivate) ?? ByteBuffer()
        if edits == nil, mustBePrivate { lines.writeStaticString("cache-control: no-store\r\n") }
        if let hsts = site.hstsLine, edits?.ownsTransportSecurity != true { lines.writeImmutableBuffer(hsts) }
        if let added { lines.writeImmutableBuffer(added) }
        if let own = connection.request.crossOriginLines { lines.writeImmutableBuffer(own) }
        exchange.respond(status: fixed.status, body: fixed.body) { output in
            if !fixed.contentType.isEmpty { output.put(text: "content-type: \(fixed.contentType)\r\n") }
            if let location = fixed.location {
                output.put("location: ")
                output.put(location)
                output.put("\r\n")
            }
            output.put(lines)
        }
    }

    /// The most header names in one line of the log.
    private static let namesInLine = 5

    /// Logs that a client sent headers that only the gateway may set. They were removed. One line for each request.
    private func logSpoofing(_ exchange: Exchange, _ connection: ConnectionState, _ route: Route) {
        let headers = site.headWriter.identityHeaders(in: exchange.head)
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

    // MARK: Cookies

    /// The `Set-Cookie` lines of a response: the refreshed session, or the old one with its idle limit stamped anew.
    private func cookieLines(_ change: CookieChange, _ caller: Caller?, _ head: RequestHead, _ now: Int64) -> ByteBuffer? {
        switch change {
        case .none: return nil
        case .remove: return Self.setCookieLines(snapshot.cookies.deletionLines(existingNames: cookieNames(head)))
        case .store: return caller.map { Self.setCookieLines(sessionLines($0.session, head)) }
        case .renew:
            guard let caller else { return nil }
            // For a tenth of the time after which the new cookie is due itself, and a second at most.
            let until = now + min(1_000, snapshot.limits.renewalInterval / 10)
            return caller.renewalLines(names: cookieNamesHash(head), now: now, until: until) {
                core.sessions.activity.note(caller.session.id, now: now)
                return Self.setCookieLines(sessionLines(snapshot.limits.renewed(caller.session, now: now), head))
            }
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
        guard let connection = exchange.connectionState as? ConnectionState, let caller = connection.caller else { return }
        let now = wallClock()
        let token = caller.times.tokenExpiresAt.map { expiresAt in
            StreamToken(
                exchange.head.presentedToken, client: ClientShare(connection.client(exchange)), expiresAt: expiresAt,
                introspectedUntil: caller.times.introspectedUntil, now: now)
        }
        let stream = SessionStream(response, caller.session, token, on: exchange, requestID: connection.requestID, now: now)
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

    func handshakeFailed(_ peer: PeerAddress, reason: String) { reports.handshakeFailed(peer, reason: reason, to: core.log) }
    func acceptFailed(_ error: IOError) { reports.acceptFailed(error, to: core.log) }
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {
        metrics.connectionsRefused += 1
        reports.refusedConnection(refusal, from: peer, to: core.log)
    }

    /// The process runs out of descriptors, and so many idle connections were closed to free some.
    func closedIdleConnections(_ count: Int) {
        metrics.connectionsClosedForDescriptors += count
        reports.closedIdleConnections(count, to: core.log)
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
