import Accounts
import Sessions
import TokenCrypto

/// Sessions to test with. Times are in milliseconds, and `start` is any moment.
enum Example {
    static let start: Int64 = 1_800_000_000_000
    static let publicURL = "https://app.example.com"
    static let keys = [[UInt8](repeating: 5, count: 32)]

    static let identity = ProviderIdentity(
        provider: "oidc.acme", issuer: "https://auth.example.com", subject: "alice", email: "alice@example.com", emailVerified: true,
        username: "alice", name: "Alice Ångström", picture: "https://example.com/a.png", locale: "sv", groups: ["staff", "", "a,b"],
        claims: .object(["department": .string("ops"), "level": .integer(3), "ratio": .number(0.1), "none": .null]))

    static let tokens = Session.Tokens(
        accessToken: "access", accessTokenExpiresAt: start + 300_000, refreshToken: "refresh", idToken: "header.payload.signature")

    static let client = SessionClient(userAgent: "Mozilla/5.0", address: "192.0.2.7")

    static func session(
        identity: ProviderIdentity = identity, tokens: Session.Tokens = tokens, sid: String? = "sid-1", now: Int64 = start,
        subject: String? = nil, account: SessionAccount? = nil
    ) -> Session {
        var identity = identity
        if let subject { identity.subject = subject }
        return .issue(
            for: AccountOutcome(supposing: identity), authTime: now - 1000, providerSessionID: sid, tokens: tokens, facts: account, now: now
        )
    }

    /// A session whose payload takes about `bytes` more than usual: no base64url, which would be written shorter.
    static func session(padding bytes: Int, idTokenBytes: Int = 0) -> Session {
        var tokens = tokens
        tokens.accessToken = String(repeating: "~", count: bytes)
        if idTokenBytes > 0 { tokens.idToken = String(repeating: "~", count: idTokenBytes) }
        return session(tokens: tokens)
    }
}

extension SessionBrowser {
    /// The client of `Example`, without cookies.
    static let example = SessionBrowser(Example.client, cookieNames: [])
}
