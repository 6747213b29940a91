package import Accounts

/// A session that waits for a second factor. It is no session: nothing opens it but `SessionService.complete`.
///
/// The bytes contain tokens: seal them before you store them.
package struct PendingSession: Sendable {
    package let bytes: [UInt8]

    /// What `SessionService.pending` made, after its seal was opened.
    package init(resuming bytes: [UInt8]) { self.bytes = bytes }
}

extension SessionService {
    /// The forms of the session that a completed sign-in would get, the best first: the caller takes the first that fits.
    package func pending(for signIn: VerifiedSignIn, now: Int64) -> [PendingSession] {
        forms(of: signIn, now: now).map { PendingSession(resuming: SessionCodec.encode($0)) }
    }

    /// Issues the session that waited, with the second factor that was shown since. `startedAt`: when the first factor was proven, which is
    /// when the session begins: what ended the account's sessions since has ended this one, too. `account`: as an enrolment has just changed
    /// it, which may have ended the sessions before it. Only that end does not count. Nil: the bytes hold no session.
    package func complete(
        _ pending: PendingSession, secondFactor: String, methods: [String], startedAt: Int64, enrolledIn account: Account? = nil,
        replacing previous: Session?, to browser: SessionBrowser, now: Int64
    ) async throws(SessionIssueError) -> IssuedSession? {
        guard var session = SessionCodec.decode(pending.bytes) else { return nil }
        // What waited was sealed without it: a store that keeps sessions gives it to the browser with the ticket.
        session.take(.random())
        session.issuedAt = startedAt
        session.seenAt = max(startedAt, now)
        session.account = session.account?.shown(secondFactor, methods)
        if let account, account.endings.cover(provider: session.identity.provider, issuedAt: startedAt) {
            let waiting = session
            session = session.reissued(account: session.account, issuedAt: account.sessionStart(now: now), now: now)
            let isReplaced: Bool
            do throws(SessionStoreError) {
                isReplaced = try await store.replace(waiting, by: session, now: now)
            } catch {
                throw .store(error)
            }
            guard isReplaced else { throw .ended }
        }
        return try await keep([session, session.withoutIDToken(), session.withoutAccessToken()], of: session, .any(previous), browser, now)
    }
}

extension SessionService {
    /// Whether nothing has ended a session that waits since its first factor was proven. False for bytes that hold none.
    package func goesOn(_ pending: PendingSession, startedAt: Int64, now: Int64) async -> Bool {
        guard var session = SessionCodec.decode(pending.bytes) else { return false }
        session.issuedAt = startedAt
        session.seenAt = max(startedAt, now)
        if case .session = await check(session, now: now) { return true }
        return false
    }
}

extension SessionAccount {
    /// The same account after its user has shown a second factor. `methods`: for `amr` (RFC 8176).
    package func shown(_ factor: String, _ methods: [String]) -> SessionAccount {
        var shown = self
        shown.secondFactor = factor
        shown.methods += methods.filter { !self.methods.contains($0) }
        return shown
    }
}
