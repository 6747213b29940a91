package import Accounts

/// A session that goes on with other facts about its account.
extension SessionService {
    /// Replaces a session that has not ended by one with a new id and the same sign-in and tokens: after a change that ends the account's
    /// other sessions, or that gives a session more than it had. Throws `.ended` for one that has ended meanwhile: nothing begins again.
    ///
    /// `issuedAt`: nil keeps the beginning, so that whatever ends the old one ends the new one, and the absolute limit stays; later only for
    /// the one session that goes on when the account's others end, and then as the store knows it. `adopting`: the identity that the session is about from now on; nil keeps
    /// its own.
    package func reissue(
        _ session: Session, account: SessionAccount?, issuedAt: Int64? = nil, adopting identity: ProviderIdentity? = nil,
        to browser: SessionBrowser, now: Int64
    ) async throws(SessionIssueError) -> IssuedSession {
        var next = session.reissued(account: account, issuedAt: issuedAt ?? session.issuedAt, now: now)
        if let identity {
            next.identity = contents.kept(identity)
            next.tokens = Session.Tokens()
        }
        if let account { next.identity.claims = account.merged(over: next.identity.claims) }
        return try await keep(
            [next, next.withoutIDToken(), next.withoutAccessToken()], of: next, .alive(session), browser, now)
    }
}
