package import Accounts
import TokenCrypto

extension Session {
    /// A session for the time of one token that came with a request: it is never sealed, and has no tokens of its own.
    ///
    /// `authTime` nil: the time of the sign-in is unknown, so every rule that requires a recent sign-in denies access. `issuedAt`: the
    /// token's, so that a provider's logout message ends tokens that were issued before it. `isPossiblyOwn`: it is an ID token that the
    /// gateway itself may have received (`SignInNonce`), so that the end of the session that had it ends the token, too.
    package static func presented(
        for account: AccountOutcome, authTime: Int64?, issuedAt: Int64, providerSessionID: String?, isPossiblyOwn: Bool = false
    ) -> Session {
        let facts = account.account.map { SessionAccount(providers: $0.providers, isAnonymous: $0.isAnonymous) }
        var session = Session(
            id: SecureRandom.bytes(16), uid: account.uid, identity: account.identity, authTime: authTime ?? 0, issuedAt: issuedAt,
            seenAt: issuedAt, providerSessionID: providerSessionID, tokens: Tokens(), generation: 0,
            account: facts)
        session.isPossiblyOwnToken = isPossiblyOwn
        return session
    }

    /// This session without an access token that has expired, or that is bound to a key of the gateway's (RFC 9449): an app could do
    /// nothing with it.
    package func withUsableTokens(now: Int64) -> Session {
        guard tokens.accessToken != nil, tokens.proofKey != nil || tokens.accessTokenExpiresAt ?? .max <= now else { return self }
        var usable = self
        usable.tokens.accessToken = nil
        return usable
    }

    /// This session without the access token, for a cookie that would be too large.
    package func withoutAccessToken() -> Session {
        var smaller = withoutIDToken()
        smaller.tokens.accessToken = nil
        return smaller
    }
}
