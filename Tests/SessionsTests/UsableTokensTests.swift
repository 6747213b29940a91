import Accounts
import Sessions
import Testing

@Suite struct UsableTokensTests {
    private func session(_ tokens: Session.Tokens) -> Session {
        Session.issue(
            for: AccountOutcome(supposing: ProviderIdentity(provider: "p", issuer: "i", subject: "s")), authTime: nil,
            providerSessionID: nil, tokens: tokens, now: 1_000)
    }

    @Test func `an access token that has expired or is bound to a key is not shown to an app`() {
        let key = [UInt8](repeating: 7, count: 32)
        #expect(self.session(.init(accessToken: "a")).withUsableTokens(now: 5_000).tokens.accessToken == "a")
        #expect(self.session(.init(accessToken: "a", accessTokenExpiresAt: 5_001)).withUsableTokens(now: 5_000).tokens.accessToken == "a")
        #expect(self.session(.init(accessToken: "a", accessTokenExpiresAt: 5_000)).withUsableTokens(now: 5_000).tokens.accessToken == nil)
        let bound = self.session(.init(accessToken: "a", idToken: "i", proofKey: key)).withUsableTokens(now: 0)
        #expect(bound.tokens.accessToken == nil && bound.tokens.idToken == "i")
    }

    @Test func `the key of bound tokens comes back from the session's bytes, and only whole`() throws {
        let key = (0..<32).map { UInt8($0) }
        for expiry in [nil, 7 as Int64?] {
            let session = self.session(.init(accessTokenExpiresAt: expiry, refreshToken: "r", proofKey: key))
            let bytes = SessionCodec.encode(session)
            #expect(SessionCodec.decode(bytes) == session)
            #expect(SessionCodec.decode(Array(bytes.dropLast())) == nil)
        }
    }

    @Test func `a presented token is a session that nobody can take for a recent sign-in`() {
        let account = AccountOutcome(supposing: ProviderIdentity(provider: "p", issuer: "i", subject: "s"))
        let session = Session.presented(for: account, authTime: nil, issuedAt: 9_000, providerSessionID: "sid")
        #expect(session.authTime == 0 && session.issuedAt == 9_000 && session.providerSessionID == "sid")
        var revoked = RevokedSessions()
        revoked.revoke(issuer: "i", providerSessionID: "sid", limits: SessionLimits(idle: 1_000, absolute: 90_000), now: 9_500)
        #expect(revoked.contains(session, now: 9_600))
        let later = Session.presented(for: account, authTime: nil, issuedAt: 9_600, providerSessionID: "sid")
        #expect(!revoked.contains(later, now: 9_700))
    }
}
