import Accounts

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
    /// when the session begins: what ended the account's sessions since has ended this one, too. Nil: the bytes hold no session.
    package func complete(
        _ pending: PendingSession, secondFactor: String, methods: [String], startedAt: Int64,
        replacing previous: Session?, to browser: SessionBrowser, now: Int64
    ) async throws(SessionIssueError) -> IssuedSession? {
        guard var session = SessionCodec.decode(pending.bytes) else { return nil }
        // What waited was sealed without it: a store that keeps sessions gives it to the browser with the ticket.
        session.take(.random())
        session.issuedAt = startedAt
        session.seenAt = max(startedAt, now)
        session.account = session.account?.shown(secondFactor, methods)
        return try await keep([session, session.withoutIDToken(), session.withoutAccessToken()], of: session, .any(previous), browser, now)
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
