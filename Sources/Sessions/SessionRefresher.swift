package import Accounts

/// An identity provider, as far as refreshes need one. `Backchannel` implements it.
package protocol SessionRenewer: Sendable {
    func refresh(_ session: Session) async -> RefreshOutcome
}

/// A provider's answer to a refresh.
package enum RefreshOutcome: Sendable {
    case refreshed(Session.Tokens, ProviderIdentity)
    /// The provider refused the refresh token: the session ends. Reasons are for the log.
    case invalidGrant(reason: String)
    /// The provider's answer failed a check of the gateway's: the session ends.
    case failedVerification(reason: String)
    /// Nothing is decided: the session goes on, try again later.
    case outage(reason: String)
}

/// What happened at a refresh, for the log.
package enum RefreshEvent: Sendable {
    case refreshed
    /// The session continues, and the next request after a delay tries again.
    case putOff(reason: String)
    case ended(RefreshEnd)
}

/// The reason why a session ended at a refresh. Texts are for the log.
package enum RefreshEnd: Sendable {
    case providerRemoved
    case otherUser
    case invalidGrant(reason: String)
    case failedVerification(reason: String)
}

/// Refreshes sessions at their providers: once for each, however many requests ask.
package actor SessionRefresher {
    package enum Outcome: Sendable {
        /// The session to go on with: refreshed, or the old one while the provider cannot be reached.
        case session(Session)
        /// The provider refused the refresh, or its answer failed a check.
        case ended
    }

    package typealias Report = @Sendable (RefreshEvent, Session) -> Void

    /// Unix milliseconds.
    nonisolated let now: @Sendable () -> Int64
    private var providers: [String: any SessionRenewer]
    private var contents: SessionContents
    private var report: Report
    private var running: [RefreshCoordinator.Key: Task<Outcome, Never>] = [:]

    package init(
        providers: [String: any SessionRenewer], contents: SessionContents, now: @escaping @Sendable () -> Int64, report: @escaping Report
    ) {
        self.providers = providers
        self.contents = contents
        self.now = now
        self.report = report
    }

    /// The next configuration's providers; what was begun, refused or put off stays so.
    package func adopt(providers: [String: any SessionRenewer], contents: SessionContents, report: @escaping Report) {
        self.providers = providers
        self.contents = contents
        self.report = report
    }

    /// The current form of a session that is due. A request that finds another one refreshing waits for it only when its own
    /// access token has expired.
    ///
    /// A request causes one call at most: if the result is due again, the next request refreshes it.
    package func current(_ session: Session, in store: any SessionStore) async -> Outcome {
        guard RefreshCoordinator.refreshDue(session, now: now()) else { return .session(session) }
        let key = RefreshCoordinator.Key(session)
        // The store gives up on an attempt that takes too long. One that still runs here is never made twice.
        if let task = running[key] {
            guard (session.tokens.accessTokenExpiresAt ?? .max) <= now() else { return .session(session) }
            return await task.value
        }
        let task = Task {
            let outcome = await self.attempt(session, in: store)
            self.running[key] = nil
            return outcome
        }
        running[key] = task
        return await task.value
    }

    private func attempt(_ due: Session, in store: any SessionStore) async -> Outcome {
        var session = due
        let clock = ContinuousClock()
        let waitsUntil = clock.now + Self.longestWait
        var pause = Self.firstPause
        // Each result is the next generation, so this ends.
        while RefreshCoordinator.refreshDue(session, now: now()) {
            let key = RefreshCoordinator.Key(session)
            do throws(SessionStoreError) {
                switch try await store.lock(key, now: now()) {
                case .useResult(let refreshed): session = refreshed
                case .ended: return .ended
                case .notNow: return .session(session)
                case .wait:
                    // Another process has the lock. A request whose token has expired waits for the result.
                    guard (session.tokens.accessTokenExpiresAt ?? .max) <= now(), clock.now < waitsUntil else { return .session(session) }
                    try? await Task.sleep(for: pause)
                    pause = min(pause * 2, Self.longestPause)
                case .start: return try await refresh(session, key, in: store)
                }
            } catch {
                report(.putOff(reason: "the session store does not answer"), session)
                return .session(session)
            }
        }
        return .session(session)
    }

    /// Afterwards, a request goes on with the old claims.
    private static let longestWait = Duration.seconds(10)
    private static let firstPause = Duration.milliseconds(20)
    private static let longestPause = Duration.milliseconds(250)

    private func refresh(
        _ session: Session, _ key: RefreshCoordinator.Key, in store: any SessionStore
    ) async throws(SessionStoreError) -> Outcome {
        guard let provider = providers[session.identity.provider] else { return try await end(session, key, .providerRemoved, in: store) }
        switch await provider.refresh(session) {
        case .refreshed(let tokens, let identity):
            guard let refreshed = session.refreshed(tokens: contents.tokens(tokens), identity: contents.kept(identity), now: now()) else {
                return try await end(session, key, .otherUser, in: store)
            }
            // The provider has spent the old refresh token: whatever the store says, this is the session now.
            if await !keep(refreshed, key, in: store) { keepLater(refreshed, key, in: store) }
            report(.refreshed, session)
            return .session(refreshed)
        case .invalidGrant(let reason): return try await end(session, key, .invalidGrant(reason: reason), in: store)
        case .failedVerification(let reason): return try await end(session, key, .failedVerification(reason: reason), in: store)
        case .outage(let reason):
            try await store.unlock(key, .failed(.outage), now: now())
            report(.putOff(reason: reason), session)
            return .session(session)
        }
    }

    /// False: the store does not respond.
    private func keep(_ refreshed: Session, _ key: RefreshCoordinator.Key, in store: any SessionStore) async -> Bool {
        do throws(SessionStoreError) {
            _ = try await store.save(refreshed, now: now())
            try await store.unlock(key, .refreshed(refreshed), now: now())
            return true
        } catch {
            return false
        }
    }

    /// Tries again until the store responds: with the old refresh token, the next refresh would end the session.
    private func keepLater(_ refreshed: Session, _ key: RefreshCoordinator.Key, in store: any SessionStore) {
        Task {
            let clock = ContinuousClock()
            let limit = clock.now + Self.longestOutage
            while clock.now < limit {
                try? await Task.sleep(for: Self.longestPause)
                // No request waits for it.
                if await StoreBudget.$current.withValue(nil, operation: { await keep(refreshed, key, in: store) }) { return }
            }
        }
    }

    /// After this, the result of a refresh is given up.
    private static let longestOutage = Duration.seconds(600)

    private func end(
        _ session: Session, _ key: RefreshCoordinator.Key, _ reason: RefreshEnd, in store: any SessionStore
    ) async throws(SessionStoreError) -> Outcome {
        report(.ended(reason), session)
        try await store.unlock(key, .failed(.invalidGrant), now: now())
        return .ended
    }
}
