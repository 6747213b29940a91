import Accounts
import NIOConcurrencyHelpers
import Sessions
import SignIn
import Synchronization

/// The sessions that ended early, for all event loops, and the file that a restart reads them from.
final class SharedSessions: Sendable {
    /// The outcome of a provider's logout token.
    enum LogoutResult: Sendable {
        case ended
        /// It was used before (Back-Channel Logout 1.0 section 2.6 step 8).
        case replayed
        /// The memory of revocations is full.
        case full
    }

    let digester: RevocationDigester
    private let revoked: NIOLockedValueBox<RevokedSessions>
    private let frontChannel: NIOLockedValueBox<FrontChannelLogouts>
    private let endedCounts = NIOLockedValueBox(EndedSessionCounts())
    private let journalBox = NIOLockedValueBox<RevocationJournal?>(nil)
    /// For tunnels and event streams.
    let activity = SessionActivity()
    /// Grows with each revocation, so that a loop's cache notices without taking the lock.
    private let epochCounter = Atomic<Int>(0)

    init(digester: RevocationDigester = RevocationDigester()) {
        self.digester = digester
        revoked = NIOLockedValueBox(RevokedSessions(digester: digester))
        frontChannel = NIOLockedValueBox(FrontChannelLogouts(digester: digester))
    }

    var epoch: Int { epochCounter.load(ordering: .acquiring) }

    // MARK: Ending

    /// Ends a session and its tokens in this process at once, and in the file soon. False: the list of revocations is full, and the session
    /// goes on. `successor`: a session that takes its place, whose tokens stay good.
    ///
    /// If a user has ended very many sessions, this ends all of that user's sessions so far: one user must not fill the list.
    @discardableResult
    func revoke(_ session: Session, replacedBy successor: Session? = nil, limits: SessionLimits, now: Int64) -> Bool {
        let own = digester.session(session.id)
        let digests = digester.digests(of: session)
        let (isRecorded, isEnded) = revoked.withLockedValue {
            ($0.contains(own, now: now), $0.contains(anyOf: digests, issuedAt: session.issuedAt, now: now))
        }
        // Said again, perhaps with tokens from a later refresh. Counting it would let an old cookie end the user's other sessions.
        if isRecorded {
            let records = digester.records(ending: session, keeping: successor, limits: limits, now: now)
            let added = revoked.withLockedValue { table in records.filter { !table.contains($0.digest, now: now) } }
            return added.isEmpty || insert(added, now: now)
        }
        let user = digester.user(issuer: session.identity.issuer, subject: session.identity.subject)
        let window = max(limits.absolute, Self.shortestCountWindow)
        guard endedCounts.withLockedValue({ $0.exceedsLimit(user, window: window, now: now) }) else {
            return insert(digester.records(ending: session, keeping: successor, limits: limits, now: now), now: now)
        }
        return isEnded
            || insert([digester.record(endingAllOfUserOf: session, keeping: successor, limits: limits, now: now)], now: now)
    }

    private static let shortestCountWindow: Int64 = 24 * 3_600_000

    /// Carries out a provider's logout token.
    func end(_ logout: VerifiedLogout, limits: SessionLimits, now: Int64) -> LogoutResult {
        let used = digester.record(usingLogoutToken: logout.tokenID, issuer: logout.issuer, until: logout.expiresAt)
        var records = [used]
        if let sid = logout.sessionID, !sid.isEmpty {
            records.append(digester.record(endingProviderSession: sid, issuer: logout.issuer, limits: limits, now: now))
        } else if let subject = logout.subject {
            records.append(digester.record(endingUser: subject, issuer: logout.issuer, limits: limits, now: now))
        }
        let result = revoked.withLockedValue { table -> LogoutResult in
            guard !table.contains(used.digest, now: now) else { return .replayed }
            return table.insert(records, now: now) ? .ended : .full
        }
        if result == .ended { publish(records) }
        return result
    }

    /// The provider may send a logout token again that could not be written to the file.
    func takeBackUse(of logout: VerifiedLogout) {
        let used = digester.record(usingLogoutToken: logout.tokenID, issuer: logout.issuer, until: logout.expiresAt)
        revoked.withLockedValue { $0.remove(used) }
    }

    /// A front-channel logout, which anybody can send: ends the sessions of that session of the provider's. nil: it names a session that was
    /// seen, and the list of revocations is full.
    func endFromFrontChannel(
        issuer: String, providerSessionID sid: String, from address: String?, limits: SessionLimits, now: Int64
    ) -> FrontChannelLogouts.Outcome? {
        let digest = digester.providerSession(issuer: issuer, sid: sid)
        let outcome = frontChannel.withLockedValue { $0.receive(digest, from: address, sessions: limits, now: now) }
        switch outcome {
        case .matched:
            let record = digester.record(endingProviderSession: sid, issuer: issuer, limits: limits, now: now)
            guard insert([record], now: now) else {
                frontChannel.withLockedValue { $0.takeBack(digest) }
                return nil
            }
        case .kept(let record, let isRelevant):
            if let record { journal?.append([record]) }
            if isRelevant { epochCounter.add(1, ordering: .acquiringAndReleasing) }
        case .repeated, .tooManyFromAddress, .full: break
        }
        return outcome
    }

    private func insert(_ records: [RevocationRecord], now: Int64) -> Bool {
        guard revoked.withLockedValue({ $0.insert(records, now: now) }) else { return false }
        publish(records)
        return true
    }

    private func publish(_ records: [RevocationRecord]) {
        epochCounter.add(1, ordering: .acquiringAndReleasing)
        journal?.append(records)
    }

    // MARK: Asking

    /// Whether a session was ended, by itself or at its provider. `known`: its digests, where they were made before.
    func isEnded(_ session: Session, digests known: SessionDigests? = nil, limits: SessionLimits, now: Int64) -> Bool {
        // First: a front-channel logout that comes now must find the session here, or be found below.
        if let sid = session.providerSessionID {
            let digest = known?.providerSession ?? digester.providerSession(issuer: session.identity.issuer, sid: sid)
            let end = limits.absoluteEnd(of: session)
            if frontChannel.withLockedValue({ $0.see(digest, of: session, until: end, now: now) }) { return true }
        }
        // An entry that comes after this look changes the epoch.
        guard !revoked.withLockedValue({ $0.isEmpty }) else { return false }
        let digests = known?.all ?? digester.digests(of: session)
        return revoked.withLockedValue { $0.contains(anyOf: digests, issuedAt: session.issuedAt, now: now) }
    }

    /// Whether a token was held by a session that ended: the gateway got it for itself, and nobody else is to sign in with it.
    func isEnded(token: String, now: Int64) -> Bool {
        let digest = digester.token(token)
        return revoked.withLockedValue { $0.contains(digest, now: now) }
    }

    /// Opens and checks what a request's cookies hold.
    func authenticate(_ value: SessionCookieValue, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        switch authenticator.open(value, now: now) {
        case .session(let session): check(session, by: authenticator, now: now)
        case let other: other
        }
    }

    func check(_ session: Session, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        isEnded(session, limits: authenticator.limits, now: now) ? .invalid(.revoked) : authenticator.evaluate(session, now: now)
    }

    // MARK: The file

    var journal: RevocationJournal? { journalBox.withLockedValue { $0 } }

    func setJournal(_ journal: RevocationJournal?) { journalBox.withLockedValue { $0 = journal } }

    /// Takes the records of a file that was written with this digester.
    func restore(_ records: [RevocationRecord], now: Int64) throws(RevocationFile.Failure) {
        let ended = records.filter { $0.kind != .unmatched }
        guard revoked.withLockedValue({ $0.insert(ended, now: now) }) else { throw .init("it holds more than fits into memory") }
        frontChannel.withLockedValue { table in
            for record in records where record.kind == .unmatched { table.restore(record, now: now) }
        }
        epochCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Everything that a file is to hold.
    func records(now: Int64) -> [RevocationRecord] {
        revoked.withLockedValue { $0.records(now: now) } + frontChannel.withLockedValue { $0.records(now: now) }
    }

    /// Returns when what ended so far survives a restart; false when that cannot be written. At once without a file.
    func synchronise() async -> Bool { await journal?.synchronise() ?? true }
}
