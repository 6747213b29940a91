package import Accounts

/// A session that goes on with other facts about its account.
extension SessionService {
    /// Replaces a session by one with a new id, issued now, with the same sign-in, identity and tokens: after a change that ends the
    /// account's other sessions, or that gives a session more than it had.
    ///
    /// `adopting`: the profile and tokens that the session takes over; nil keeps its own.
    package func reissue(
        _ session: Session, account: SessionAccount?, adopting adopted: AdoptedProfile? = nil, to browser: SessionBrowser, now: Int64
    ) async throws(SessionIssueError) -> IssuedSession {
        var next = session.reissued(account: account, now: now)
        if let adopted {
            next.identity = next.identity.adopting(contents.kept(adopted.identity))
            next.tokens = contents.tokens(adopted.tokens)
        }
        if let account { next.identity.claims = account.merged(over: next.identity.claims) }
        return try await keep([next, next.withoutIDToken(), next.withoutAccessToken()], of: next, session, browser, now)
    }
}

/// What a session without a profile of its own takes over from an identity that was linked to its account.
package struct AdoptedProfile: Sendable {
    package let identity: ProviderIdentity
    package let tokens: Session.Tokens

    package init(identity: ProviderIdentity, tokens: Session.Tokens) {
        self.identity = identity
        // A refresh is the provider's that the session was made with.
        var kept = tokens
        kept.refreshToken = nil
        kept.proofKey = nil
        self.tokens = kept
    }
}

extension ProviderIdentity {
    /// This identity's name at its provider, with the profile of another.
    fileprivate func adopting(_ other: ProviderIdentity) -> ProviderIdentity {
        var adopted = other
        adopted.provider = provider
        adopted.issuer = issuer
        adopted.subject = subject
        return adopted
    }
}
