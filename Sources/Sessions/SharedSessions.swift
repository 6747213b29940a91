import Accounts
import Synchronization

/// A provider's logout token, verified but for replay (OpenID Connect Back-Channel Logout 1.0 section 2.6).
package struct ProviderLogout: Sendable {
    /// As the sessions carry it.
    package let issuer: String
    package let subject: String?
    /// The provider's own session; nil: all of the user's.
    package let sessionID: String?
    /// The token's `jti`.
    package let tokenID: String
    /// Unix milliseconds until which `tokenID` must be remembered.
    package let expiresAt: Int64

    package init(issuer: String, subject: String?, sessionID: String?, tokenID: String, expiresAt: Int64) {
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
        self.tokenID = tokenID
        self.expiresAt = expiresAt
    }
}

/// A provider's front-channel logout (OpenID Connect Front-Channel Logout 1.0 section 2): nothing proves who sent it.
package struct FrontChannelLogout: Sendable {
    /// As the sessions carry it.
    package let issuer: String
    /// The provider's own session (`sid`).
    package let sessionID: String

    package init(issuer: String, sessionID: String) {
        self.issuer = issuer
        self.sessionID = sessionID
    }
}

/// Keeps what ended beyond the process. Its functions return at once, except `synchronise` and `close`.
package protocol EndedSessionJournal: Sendable {
    /// Takes records that the memory has taken; they are written soon.
    func append(_ records: [RevocationRecord])
    /// Returns when everything that the memory held before the call is kept; false when that cannot be done, or not in time.
    func synchronise() async -> Bool
    /// The reason why it cannot be written at present; nil while it can. Holds no secret.
    var failure: String? { get }
    /// For messages.
    var path: String { get }
    func close() async
}

/// The memory of the sealed-cookie store, for all event loops and across reloads: the sessions that ended early, the logout tokens and
/// logins that were used, the locks of refreshes.
package final class SharedSessions: Sendable {
    /// The outcome of a provider's logout token.
    package enum LogoutResult: Sendable {
        case ended
        /// It was used before (Back-Channel Logout 1.0 section 2.6 step 8).
        case replayed
        /// The memory of revocations is full.
        case full
    }

    package let digester: RevocationDigester
    private let revoked: Mutex<RevokedSessions>
    private let frontChannel: Mutex<FrontChannelLogouts>
    private let endedCounts = Mutex(EndedSessionCounts())
    /// Held while a single session ends: a look whether it has, and its end, are one step.
    private let ending = Mutex(())
    private let journalBox = Mutex<(any EndedSessionJournal)?>(nil)
    /// For tunnels and event streams.
    package let activity = SessionActivity()
    private let finishedLogins = Mutex(FinishedLogins())
    private let refreshes = Mutex(RefreshCoordinator())
    /// Grows with each revocation, so that a loop's cache notices without taking the lock.
    package let ends = EndCount()

    /// - Parameter capacity: the most entries that the list of revocations takes; `anonymousCapacity`: those of anonymous sessions.
    package init(
        digester: RevocationDigester = RevocationDigester(), capacity: Int = RevokedSessions.defaultCapacity, anonymousCapacity: Int? = nil
    ) {
        self.digester = digester
        revoked = Mutex(RevokedSessions(digester: digester, capacity: capacity, anonymousCapacity: anonymousCapacity))
        frontChannel = Mutex(FrontChannelLogouts(digester: digester))
    }

    // MARK: Ending

    /// Ends a session and its tokens in this process at once, and in the file soon. False: the list of revocations is full, and the session
    /// goes on. `successor`: a session that takes its place, whose tokens stay good.
    ///
    /// If a user has ended very many sessions, this ends all of that user's sessions so far: one user must not fill the list.
    @discardableResult
    package func revoke(_ session: Session, replacedBy successor: Session? = nil, limits: SessionLimits, now: Int64) -> Bool {
        ending.withLock { _ in revokeLocked(session, replacedBy: successor, limits: limits, now: now) }
    }

    /// What became of a session that another was to replace.
    package enum Replacement: Sendable {
        case replaced
        /// It had ended before.
        case ended
        /// The list of revocations is full: the session goes on.
        case full
    }

    /// Ends a session like `revoke` unless it has ended before, in one step.
    package func replace(_ session: Session, by successor: Session, limits: SessionLimits, now: Int64) -> Replacement {
        ending.withLock { _ in
            if let sid = session.providerSessionID {
                let digest = digester.providerSession(issuer: session.identity.issuer, sid: sid)
                let end = limits.absoluteEnd(of: session)
                if frontChannel.withLock({ $0.see(digest, of: session, until: end, now: now) }) { return .ended }
            }
            let digests = digester.digests(of: session)
            if revoked.withLock({ $0.contains(anyOf: digests, of: session, before: successor, now: now) }) { return .ended }
            return revokeLocked(session, replacedBy: successor, limits: limits, now: now) ? .replaced : .full
        }
    }

    private func revokeLocked(_ session: Session, replacedBy successor: Session?, limits: SessionLimits, now: Int64) -> Bool {
        let own = digester.session(session.id)
        let digests = digester.digests(of: session)
        let (isRecorded, isEnded) = revoked.withLock {
            ($0.contains(own, now: now), $0.contains(anyOf: digests, issuedAt: session.issuedAt, now: now))
        }
        // Said again, perhaps with tokens from a later refresh. Counting it would let an old cookie end the user's other sessions.
        if isRecorded {
            let records = digester.records(ending: session, keeping: successor, limits: limits, now: now)
            let added = revoked.withLock { table in records.filter { !table.contains($0.digest, now: now) } }
            return added.isEmpty || insert(added, now: now)
        }
        // An anonymous account has one session, and its entries have a bound of their own.
        if session.isAnonymous {
            return insert(digester.records(ending: session, keeping: successor, limits: limits, now: now), now: now)
        }
        let user = digester.user(issuer: session.identity.issuer, subject: session.identity.subject)
        let window = max(limits.absolute, Self.shortestCountWindow)
        guard endedCounts.withLock({ $0.exceedsLimit(user, window: window, now: now) }) else {
            return insert(digester.records(ending: session, keeping: successor, limits: limits, now: now), now: now)
        }
        if isEnded { return true }
        let all = digester.record(endingAllOfUserOf: session, keeping: successor, limits: limits, now: now)
        // A successor that began as early goes on, so the session needs an end of its own.
        let ends = all.issuedUpTo < session.issuedAt ? digester.records(ending: session, keeping: successor, limits: limits, now: now) : []
        return insert([all] + ends, now: now)
    }

    private static let shortestCountWindow: Int64 = 24 * 3_600_000

    /// Carries out a provider's logout token.
    package func end(_ logout: ProviderLogout, limits: SessionLimits, now: Int64) -> LogoutResult {
        let used = digester.record(usingLogoutToken: logout.tokenID, issuer: logout.issuer, until: logout.expiresAt)
        var records = [used]
        if let sid = logout.sessionID, !sid.isEmpty {
            records.append(digester.record(endingProviderSession: sid, issuer: logout.issuer, limits: limits, now: now))
        } else if let subject = logout.subject {
            records.append(digester.record(endingUser: subject, issuer: logout.issuer, limits: limits, now: now))
        }
        let result = revoked.withLock { table -> LogoutResult in
            guard !table.contains(used.digest, now: now) else { return .replayed }
            return table.insert(records, now: now) ? .ended : .full
        }
        if result == .ended { publish(records) }
        return result
    }

    /// The provider may send a logout token again that could not be written to the file.
    package func takeBackUse(of logout: ProviderLogout) {
        let used = digester.record(usingLogoutToken: logout.tokenID, issuer: logout.issuer, until: logout.expiresAt)
        revoked.withLock { $0.remove(used) }
    }

    /// A front-channel logout, which anybody can send: ends the sessions of that session of the provider's. nil: it names a session that was
    /// seen, and the list of revocations is full.
    package func endFromFrontChannel(
        issuer: String, providerSessionID sid: String, from address: String?, limits: SessionLimits, now: Int64
    ) -> FrontChannelLogouts.Outcome? {
        let digest = digester.providerSession(issuer: issuer, sid: sid)
        let outcome = frontChannel.withLock { $0.receive(digest, from: address, sessions: limits, now: now) }
        switch outcome {
        case .matched:
            let record = digester.record(endingProviderSession: sid, issuer: issuer, limits: limits, now: now)
            guard insert([record], now: now) else {
                frontChannel.withLock { $0.takeBack(digest) }
                return nil
            }
        case .kept(let record, let isRelevant):
            if let record { journal?.append([record]) }
            if isRelevant { ends.increment() }
        case .repeated, .tooManyFromAddress, .full: break
        }
        return outcome
    }

    /// Ends the sessions of an account: never refused, however full the list of revocations is.
    package func end(_ ending: AccountEnding, limits: SessionLimits, now: Int64) {
        let record = digester.record(ending, limits: limits)
        revoked.withLock { _ = $0.insert([record], now: now) }
        ends.increment()
    }

    /// Ends the sessions of a user so far, in this process at once and in the file soon. False: the list of revocations is full.
    package func endAll(ofUser uid: String, limits: SessionLimits, now: Int64) -> Bool {
        insert([digester.record(endingAllOfUID: uid, limits: limits, now: now)], now: now)
    }

    /// Ends all sessions so far, in this process at once and in the file soon. False: the list of revocations is full.
    package func endEveryone(limits: SessionLimits, now: Int64) -> Bool {
        insert([digester.record(endingEveryone: limits, now: now)], now: now)
    }

    private func insert(_ records: [RevocationRecord], now: Int64) -> Bool {
        guard revoked.withLock({ $0.insert(records, now: now) }) else { return false }
        publish(records)
        return true
    }

    private func publish(_ records: [RevocationRecord]) {
        ends.increment()
        journal?.append(records)
    }

    // MARK: Asking

    /// Whether a session was ended, by itself or at its provider. `known`: its digests, where they were made before.
    package func isEnded(_ session: Session, digests known: SessionDigests? = nil, limits: SessionLimits, now: Int64) -> Bool {
        // First: a front-channel logout that comes now must find the session here, or be found below.
        if let sid = session.providerSessionID {
            let digest = known?.providerSession ?? digester.providerSession(issuer: session.identity.issuer, sid: sid)
            let end = limits.absoluteEnd(of: session)
            if frontChannel.withLock({ $0.see(digest, of: session, until: end, now: now) }) { return true }
        }
        // An entry that comes after this look changes the epoch.
        guard !revoked.withLock({ $0.isEmpty }) else { return false }
        let digests = known?.all ?? digester.digests(of: session)
        return revoked.withLock { $0.contains(anyOf: digests, issuedAt: session.issuedAt, now: now) }
    }

    /// Whether a token was held by a session that ended: the gateway got it for itself, and nobody else is to sign in with it.
    package func isEnded(token: String, now: Int64) -> Bool {
        let digest = digester.token(token)
        return revoked.withLock { $0.contains(digest, now: now) }
    }

    /// The lists of what ended, with their limits.
    package func revocationLists(now: Int64) -> [RevocationList] {
        revoked.withLock { $0.lists(now: now) } + [frontChannel.withLock { $0.list }]
    }

    // MARK: Logins

    /// Marks the login with this id as finished; false when it was before.
    package func finishLogin(_ id: String, now: Int64) -> Bool { finishedLogins.withLock { $0.finish(id, now: now) } }

    package func isFinishedLogin(_ id: String) -> Bool { finishedLogins.withLock { $0.contains(id) } }

    // MARK: Refreshes

    package func lockRefresh(_ key: RefreshCoordinator.Key, now: Int64) -> RefreshCoordinator.Answer {
        refreshes.withLock { $0.request(key, now: now) }
    }

    package func unlockRefresh(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) {
        refreshes.withLock {
            switch result {
            case .refreshed(let session): $0.succeeded(key, session, now: now)
            case .failed(let failure): $0.failed(key, failure, now: now)
            }
        }
    }

    // MARK: The file

    package var journal: (any EndedSessionJournal)? { journalBox.withLock { $0 } }

    package func setJournal(_ journal: (any EndedSessionJournal)?) { journalBox.withLock { $0 = journal } }

    /// Takes the records of a file that was written with this digester; false: they do not fit.
    package func restore(_ records: [RevocationRecord], now: Int64) -> Bool {
        let ended = records.filter { $0.kind != .unmatched }
        guard revoked.withLock({ $0.insert(ended, now: now) }) else { return false }
        frontChannel.withLock { table in
            for record in records where record.kind == .unmatched { table.restore(record, now: now) }
        }
        ends.increment()
        return true
    }

    /// Everything that a file is to hold.
    package func records(now: Int64) -> [RevocationRecord] {
        revoked.withLock { $0.records(now: now) } + frontChannel.withLock { $0.records(now: now) }
    }

    /// Returns when what ended so far survives a restart; false when that cannot be written. At once without a file.
    package func synchronise() async -> Bool { await journal?.synchronise() ?? true }
}
