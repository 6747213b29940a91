import Access
import Config
import Decisions
import Endpoints
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Primitives
import Sessions
import SignIn
import Telemetry

/// The lookups that an outcome can name: the session of a cookie, the verification of a token, the refresh of a session.
extension RequestPhases {
    func load(
        _ credential: SessionCredential, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64
    ) {
        switch credential {
        case .whole(let range):
            let cookie = Array(head.bytes.byteSpan.extracting(range))
            load(cookie, exchange, head, connection, now: now)
        case .joined(let cookie):
            // The decider looks for cookies in one piece; one of several pieces is joined first.
            if let known = recognise(cookie.span.bytes, of: connection, now) {
                return resume(exchange, head, connection, knowing: .caller(known), now: now)
            }
            load(cookie, exchange, head, connection, now: now)
        case .refused(let refusal): resume(exchange, head, connection, loaded: .invalid(refusal), now: now)
        }
    }

    private func load(_ cookie: [UInt8], _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, now: Int64) {
        let epoch = context.sessions.ends.value
        switch context.sessions.open(cookie.span.bytes, now: now) {
        case .known(let known):
            metrics.sessionsOpened += 1
            keep(known, of: cookie, epoch: epoch, connection, now: now)
            resume(exchange, head, connection, loaded: known, now: now)
        case .ask(let question): ask(question, about: cookie, epoch: epoch, exchange, connection, now: now)
        }
    }

    private func ask(
        _ question: SessionQuestion, about cookie: [UInt8], epoch: Int, _ exchange: Exchange, _ connection: ConnectionState, now: Int64
    ) {
        metrics.sessionsAsked += 1
        let pending = PendingAnswer(exchange, for: connection.request)
        let sessions = context.sessions
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        // For the span of the question.
        let event = tracer == nil ? nil : connection.context(exchange)
        let budget = connection.storeBudget
        func start() {
            sessions.ask(question, now: now) { loaded in
                pending.onLoop { exchange in
                    guard let connection = exchange.connectionState as? ConnectionState else { return }
                    let now = wallClock()
                    bound.value.keep(loaded, of: cookie, epoch: epoch, connection, now: now)
                    bound.value.resume(exchange, exchange.head, connection, loaded: loaded, now: now)
                }
            }
        }
        StoreBudget.$current.withValue(budget) {
            if let event { EventContext.$current.withValue(event) { start() } } else { start() }
        }
    }

    /// Keeps a live session in the loop's cache, and as the connection's caller.
    private func keep(_ loaded: Authentication, of cookie: [UInt8], epoch: Int, _ connection: ConnectionState, now: Int64) {
        guard case .session(let session) = loaded else { return }
        let caller = Caller(session, site.identity, site.limits.session, now: now)
        log(caller.omissions, of: caller, connection, route: nil)
        if context.seal.takeLegacyNotice() { logLegacyCookie() }
        let opened = OpenedSession(caller, cookie: cookie)
        callers.sessions.insert(opened, epoch: epoch)
        connection.recognise(opened)
    }

    private func resume(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, loaded: Authentication, now: Int64
    ) {
        switch loaded {
        case .session:
            guard let caller = connection.caller else { return resume(exchange, head, connection, knowing: .nobody, now: now) }
            resume(exchange, head, connection, knowing: .caller(caller), now: now)
        case .anonymous: resume(exchange, head, connection, knowing: .nobody, now: now)
        case .invalid(.storeUnavailable): resume(exchange, head, connection, knowing: .unknown, now: now)
        case .invalid(let refusal):
            observed(exchange, connection) {
                context.log.write(
                    .info, "session-refused", "session cookie ignored",
                    [("reason", .text(refusal.rawValue)), ("request_id", .text(connection.requestID.text))])
            }
            resume(exchange, head, connection, knowing: .ended(hadSession: refusal.isEnd), now: now)
        }
    }

    func logLegacyCookie() {
        guard context.endpoints.onceNotices.isFirst("legacy-session-cookie") else { return }
        context.log.write(
            .notice, "legacy-session-cookie", "accepted a session cookie of an earlier version, which is not bound to publicURL", [])
    }

    /// Reports headers that lack a part of their value, not for each request. `route`: nil for a header of every route.
    func log(_ omissions: [HeaderOmission], of caller: Caller, _ connection: ConnectionState, route: Route?) {
        for omission in omissions {
            guard callers.reportedOmissions.isNew(omission, uid: caller.session.uid, route: route?.index) else { continue }
            var fields: [(String, EventLog.Value)] = [
                ("header", .text(omission.header)), ("reason", .text(omission.reason.words)), ("uid", .text(caller.session.uid)),
            ]
            if !omission.groups.isEmpty {
                fields.append(("groups", .text(omission.groups.map { $0.shortened(to: LogLimit.name) }.joined(separator: " | "))))
            }
            if let route { fields.append(("route", .text(route.label))) }
            fields.append(("request_id", .text(connection.requestID.text)))
            context.log.write(.notice, "identity-header-incomplete", "identity header sent without part of its value", fields)
        }
    }

    func verify(
        _ token: PresentedToken, nonce: String?, _ bearer: BearerConfiguration, _ exchange: Exchange, _ head: RequestHead,
        _ connection: ConnectionState, now: Int64
    ) {
        let sessions = context.sessions
        let epoch = sessions.ends.value
        let hit = callers.tokens.find(token.hash, epoch: epoch, now: now) {
            sessions.knownEnd(ofToken: token.text, presenting: $0.caller.session, now: now) != .none
        }
        if let hit, hit.admits(bearer, nonce: nonce) {
            connection.recognise(caller: hit.caller)
            return resume(exchange, head, connection, knowing: .caller(hit.caller), now: now)
        }
        let pending = PendingAnswer(exchange, for: connection.request)
        let tokens = context.bearerTokens
        let client = ClientShare(connection.client(exchange))
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        Task {
            let verdict = await tokens.verify(token, providers: bearer.providers, from: client)
            let epoch = sessions.ends.value
            let end = await verdict.end(token, in: sessions, now: wallClock())
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                let knowledge = bound.value.knowledge(of: verdict, end, token, nonce: nonce, bearer, connection, epoch: epoch)
                bound.value.resume(exchange, exchange.head, connection, knowing: knowledge, now: wallClock())
            }
        }
    }

    private func knowledge(
        of verdict: BearerTokens.Verdict, _ end: BearerProblem?, _ token: PresentedToken, nonce: String?, _ bearer: BearerConfiguration,
        _ connection: ConnectionState, epoch: Int
    ) -> CallerKnowledge {
        switch verdict {
        case .refused(let refusal, let provider): return .tokenRefused(BearerProblem(refusal), provider: provider)
        case .unavailable(let reason, let provider): return .tokenRefused(.unavailable(reason), provider: provider)
        case .accepted(let accepted):
            if let end { return .tokenRefused(end, provider: accepted.provider) }
            let caller = Caller(bearer: accepted, site.identity)
            log(caller.omissions, of: caller, connection, route: nil)
            let entry = VerifiedToken(accepted, caller, hash: token.hash)
            guard entry.admits(bearer, nonce: nonce) else {
                return .tokenRefused(BearerProblem(.nonce), provider: accepted.provider)
            }
            callers.tokens.insert(entry, epoch: epoch)
            connection.recognise(caller: caller)
            return .caller(caller)
        }
    }

    func refresh(_ exchange: Exchange, _ connection: ConnectionState, _ caller: Caller) {
        let session = caller.session
        if context.sessions.store.keepsSessions { caller.isSuperseded = true }
        let pending = PendingAnswer(exchange, for: connection.request)
        let sessions = context.sessions
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        let context = connection.context(exchange)
        let budget = connection.storeBudget
        connection.forgetCaller()
        Task {
            let outcome = await EventContext.$current.withValue(context) {
                await StoreBudget.$current.withValue(budget) { await sessions.refresh(session) }
            }
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                let now = wallClock()
                let knowledge = bound.value.knowledge(of: outcome, exchange, connection, now: now)
                bound.value.resume(exchange, exchange.head, connection, knowing: knowledge, now: now)
            }
        }
    }

    private func knowledge(
        of outcome: RefreshedSession, _ exchange: Exchange, _ connection: ConnectionState, now: Int64
    ) -> CallerKnowledge {
        let (session, isNew): (Session, Bool)
        switch outcome {
        case .ended: return .ended(hadSession: true)
        case .unavailable: return .unknown
        case .refreshed(let refreshed): (session, isNew) = (refreshed, true)
        case .unchanged(let unchanged): (session, isNew) = (unchanged, false)
        }
        let caller = Caller(session, site.identity, site.limits.session, now: now)
        log(caller.omissions, of: caller, connection, route: nil)
        connection.recognise(caller: caller)
        // The wait for the provider was not the upstream's.
        connection.forwardedAt = exchange.eventLoop.now
        return .refreshed(caller, isNew: isNew)
    }
}

extension BearerTokens.Verdict {
    /// The reason why an accepted token has ended all the same; nil while it has not.
    fileprivate func end(_ token: PresentedToken, in sessions: SessionService, now: Int64) async -> BearerProblem? {
        guard case .accepted(let accepted) = self else { return nil }
        return await sessions.problem(of: token.text, presenting: accepted.session, now: now)
    }
}
