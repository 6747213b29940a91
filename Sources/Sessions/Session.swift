package import Accounts
import TokenCrypto

/// One signed-in browser.
///
/// Times are Unix milliseconds. A session is issued by `Session.issue`, opened by `SessionSeal`, and
/// renewed or refreshed into a new value; nothing else makes one.
package struct Session: Sendable, Equatable {
    /// 16 random bytes, new at each login.
    package internal(set) var id: [UInt8]
    package internal(set) var uid: String
    package internal(set) var identity: ProviderIdentity
    /// The time of the sign-in at the provider: `auth_time` if the provider reports it, else the login's time.
    package internal(set) var authTime: Int64
    package internal(set) var issuedAt: Int64
    /// The last renewal of the idle limit.
    package internal(set) var seenAt: Int64
    /// The provider's own session (`sid` claim), for its logout messages.
    package internal(set) var providerSessionID: String?
    package internal(set) var tokens: Tokens
    /// Counts refreshes, to tell one refresh of a session from the next.
    package internal(set) var generation: UInt32
    /// nil: the gateway has no account store, or had none when the session was issued.
    package internal(set) var account: SessionAccount?
    /// For stores that keep sessions themselves; unknown in a session that was opened from a sealed cookie.
    package internal(set) var ticketSecret = TicketSecret.unknown
    /// Of a session for one presented ID token: the gateway itself may have received the token, at a sign-in or a refresh.
    package internal(set) var isPossiblyOwnToken = false

    package struct Tokens: Sendable, Equatable {
        package var accessToken: String?
        /// nil: unknown life.
        package var accessTokenExpiresAt: Int64?
        /// Milliseconds from issue to expiry; nil: unknown, also in cookies of earlier versions.
        package var accessTokenLifetime: Int64?
        package var refreshToken: String?
        package var idToken: String?
        /// The secret scalar of the P-256 key that the tokens are bound to (RFC 9449), 32 bytes; nil: bearer tokens.
        package var proofKey: [UInt8]?
        package init(
            accessToken: String? = nil, accessTokenExpiresAt: Int64? = nil, accessTokenLifetime: Int64? = nil,
            refreshToken: String? = nil, idToken: String? = nil, proofKey: [UInt8]? = nil
        ) {
            self.accessToken = accessToken
            self.accessTokenExpiresAt = accessTokenExpiresAt
            self.accessTokenLifetime = accessTokenLifetime
            self.refreshToken = refreshToken
            self.idToken = idToken
            self.proofKey = proofKey
        }
    }

    /// A new session for a user who has just signed in, with a fresh id.
    package static func issue(
        for account: AccountOutcome, authTime: Int64?, providerSessionID: String?, tokens: Tokens, facts: SessionAccount? = nil, now: Int64
    ) -> Session {
        var identity = account.identity
        if let facts { identity.claims = facts.merged(over: identity.claims) }
        return Session(
            id: SecureRandom.bytes(16), uid: account.uid, identity: identity, authTime: authTime ?? now,
            issuedAt: now, seenAt: now, providerSessionID: providerSessionID, tokens: tokens, generation: 0, account: facts,
            ticketSecret: .random())
    }

    /// The same sign-in as another session. `issuedAt`: when it begins; what ended sessions that began by then has ended it, too.
    func reissued(account: SessionAccount?, issuedAt: Int64, now: Int64) -> Session {
        var next = self
        next.id = SecureRandom.bytes(16)
        next.ticketSecret = .random()
        next.issuedAt = issuedAt
        next.seenAt = max(issuedAt, now)
        next.generation = 0
        next.account = account
        return next
    }
}
