import Primitives

package import Accounts

extension Session {
    /// This session after a refresh at the provider: the next generation, with the same id, uid, sign-in and issue time.
    ///
    /// A token that the answer lacks is kept (RFC 6749 section 6: no new refresh token means that the old
    /// one stays in use); the access token and its expiry are always the answer's. `identity` nil: the
    /// answer had no ID token, the claims stay as they are. nil when `identity` is not the user the session
    /// was issued for (OpenID Connect Core section 12.2): the caller ends the session.
    package func refreshed(tokens new: Tokens, identity renewed: ProviderIdentity?, now: Int64) -> Session? {
        if let renewed {
            guard sameBytes(renewed.provider, identity.provider), sameBytes(renewed.issuer, identity.issuer),
                sameBytes(renewed.subject, identity.subject)
            else { return nil }
        }
        var next = self
        next.identity = renewed ?? identity
        if let account { next.identity.claims = account.merged(over: next.identity.claims) }
        next.tokens = Tokens(
            accessToken: new.accessToken, accessTokenExpiresAt: new.accessTokenExpiresAt,
            accessTokenLifetime: new.accessTokenLifetime, refreshToken: new.refreshToken ?? tokens.refreshToken,
            idToken: new.idToken ?? tokens.idToken,
            proofKey: new.proofKey)
        next.seenAt = max(seenAt, now)
        next.generation &+= 1
        return next
    }

    /// This session without its ID token, which only a sign-out at the provider needs: for a cookie that would be too large.
    package func withoutIDToken() -> Session {
        var smaller = self
        smaller.tokens.idToken = nil
        return smaller
    }
}
