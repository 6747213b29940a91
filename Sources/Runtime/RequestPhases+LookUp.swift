import Access
import Config
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Sessions
import SignIn

/// The lookups that an outcome can name: the session of a cookie, the verification of a token, the refresh of a session.
extension RequestPhases {
    func load(
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
    func open(
        _ value: SessionCookieValue, _ cookie: UnsafeRawBufferPointer, of connection: ConnectionState, _ now: Int64
    ) -> Authentication? {
        // A session of several cookies is joined first.
        if recognise(cookie, of: connection, now) != nil { return nil }
        let epoch = core.sessions.epoch
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

    func logLegacyCookie() {
        guard core.onceNotices.isFirst("legacy-session-cookie") else { return }
        core.log.write(
            .notice, "legacy-session-cookie", "accepted a session cookie of an earlier version, which is not bound to publicURL", [])
    }

    /// Reports headers that lack a part of their value, not for each request. `route`: nil for a header of every route.
    func log(_ omissions: [HeaderOmission], of caller: Caller, _ connection: ConnectionState, route: Route?) {
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

    func verify(
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

    func knowledge(
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

    func refresh(_ exchange: Exchange, _ connection: ConnectionState, _ session: Session) {
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

    func knowledge(
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
}
