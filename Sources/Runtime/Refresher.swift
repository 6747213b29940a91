import Accounts
import Backchannel
import Decisions
import Logging
import Sessions

/// Refreshes sessions at their providers: once for each, however many requests ask.
actor Refresher {
    enum Outcome: Sendable {
        /// The session to go on with: refreshed, or the old one while the provider cannot be reached.
        case session(Session)
        /// The provider refused the refresh, or its answer failed a check.
        case ended
    }

    private var clients: [String: ProviderClient]
    private var contents: SessionContents
    private var log: EventLog
    private let now: @Sendable () -> Int64
    private let sessions: SharedSessions
    private var running: [RefreshCoordinator.Key: Task<Outcome, Never>] = [:]

    init(
        clients: [String: ProviderClient], sessions: SharedSessions, contents: SessionContents, log: EventLog,
        now: @escaping @Sendable () -> Int64
    ) {
        self.sessions = sessions
        self.clients = clients
        self.contents = contents
        self.log = log
        self.now = now
    }

    /// The next configuration's providers; what was begun, refused or put off stays so.
    func adopt(clients: [String: ProviderClient], contents: SessionContents, log: EventLog) {
        self.clients = clients
        self.contents = contents
        self.log = log
    }

    /// The current form of a session that is due. A request that finds another one refreshing waits for it only when its own
    /// access token has expired.
    ///
    /// A request causes one call at most: if the result is due again, the next request refreshes it.
    func current(_ session: Session) async -> Outcome {
        var session = session
        // Each result is the next generation, so this ends.
        while RefreshCoordinator.refreshDue(session, now: now()) {
            let key = RefreshCoordinator.Key(session)
            switch sessions.lockRefresh(key, now: now()) {
            case .useResult(let refreshed): session = refreshed
            case .ended: return .ended
            case .notNow: return .session(session)
            // The coordinator gives up on an attempt that takes too long. One that still runs here is never made twice.
            case .start where running[key] == nil: return await begin(session, key)
            case .start, .wait:
                guard let task = running[key], (session.tokens.accessTokenExpiresAt ?? .max) <= now() else { return .session(session) }
                return await task.value
            }
        }
        return .session(session)
    }

    private func begin(_ session: Session, _ key: RefreshCoordinator.Key) async -> Outcome {
        let task = Task {
            let outcome = await self.refresh(session, key)
            self.running[key] = nil
            return outcome
        }
        running[key] = task
        return await task.value
    }

    private func refresh(_ session: Session, _ key: RefreshCoordinator.Key) async -> Outcome {
        guard let client = clients[session.identity.provider] else {
            return end(session, key, "session ended: its provider is no longer configured")
        }
        switch await client.refresh(session) {
        case .refreshed(let tokens, let identity):
            guard let refreshed = session.refreshed(tokens: contents.tokens(tokens), identity: contents.kept(identity), now: now()) else {
                return end(session, key, "session ended: the refreshed identity is another user's", isWarning: true)
            }
            sessions.unlockRefresh(key, .refreshed(refreshed), now: now())
            log.write(.info, "refreshed", "session refreshed", fields(of: session))
            return .session(refreshed)
        case .invalidGrant(let reason):
            return end(session, key, "session ended: the provider refused the refresh token", reason)
        case .failedVerification(let reason):
            return end(session, key, "session ended: the refreshed tokens failed verification", reason, isWarning: true)
        case .outage(let reason):
            sessions.unlockRefresh(key, .failed(.outage), now: now())
            log.write(
                .warning, "refresh-failed", "cannot refresh a session; it continues, and the gateway retries", fields(of: session, reason))
            return .session(session)
        }
    }

    private func end(
        _ session: Session, _ key: RefreshCoordinator.Key, _ message: String, _ reason: String? = nil, isWarning: Bool = false
    ) -> Outcome {
        sessions.unlockRefresh(key, .failed(.invalidGrant), now: now())
        log.write(isWarning ? .warning : .notice, "refresh-refused", message, fields(of: session, reason))
        return .ended
    }

    /// The request that caused the refresh is the task's.
    private func fields(of session: Session, _ reason: String? = nil) -> [(String, EventLog.Value)] {
        var fields: [(String, EventLog.Value)] = [
            ("provider", .text(session.identity.provider)), ("uid", .text(session.uid)),
        ]
        if let reason { fields.append(("reason", .text(reason))) }
        if let context = EventContext.current { fields.append(("request_id", .text(context.requestID))) }
        return fields
    }
}
