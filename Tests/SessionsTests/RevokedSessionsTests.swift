import Accounts
import Primitives
import Sessions
import Testing
import TokenCrypto

@Suite struct RevokedSessionsTests {
    private let now = Example.start
    private let limits = SessionLimits(idle: 1000, absolute: 10_000)

    private func session(issuer: String = "https://a", subject: String = "alice", sid: String? = "s1", now: Int64 = Example.start)
        -> Session
    {
        Example.session(
            identity: ProviderIdentity(provider: "oidc.a", issuer: issuer, subject: subject), tokens: .init(), sid: sid, now: now)
    }

    @Test func `a revoked session stays revoked until it would have ended anyway, renewed and refreshed or not`() throws {
        var revoked = RevokedSessions()
        let session = session()
        #expect(!revoked.contains(session, now: now))
        revoked.revoke(session, limits: limits, now: now)
        #expect(revoked.contains(session, now: now))
        #expect(revoked.contains(limits.renewed(session, now: now + 500), now: now + 500))
        #expect(revoked.contains(try #require(session.refreshed(tokens: .init(), identity: nil, now: now)), now: now))
        #expect(revoked.contains(session, now: now + 9_999))
        #expect(!revoked.contains(session, now: now + 10_000))
        #expect(!revoked.contains(self.session(), now: now))
    }

    @Test func `a second revocation never shortens the first`() {
        var revoked = RevokedSessions()
        let session = session()
        revoked.revoke(session, limits: limits, now: now)
        revoked.revoke(session, limits: SessionLimits(idle: 10, absolute: 10), now: now)
        #expect(revoked.contains(session, now: now + 9_999))
    }

    @Test func `a session that is over already takes no space`() {
        var revoked = RevokedSessions()
        let isTaken = revoked.revoke(session(), limits: limits, now: now + 10_000)
        #expect(isTaken)
        #expect(revoked.isEmpty)
    }

    @Test func `a logout message with sid ends that session of the provider's, and no other`() {
        var revoked = RevokedSessions()
        revoked.revoke(issuer: "https://a", providerSessionID: "s1", limits: limits, now: now)
        #expect(revoked.contains(session(), now: now + 5))
        #expect(revoked.contains(session(subject: "anybody"), now: now + 5))
        #expect(!revoked.contains(session(sid: "s2"), now: now + 5))
        #expect(!revoked.contains(session(sid: nil), now: now + 5))
        #expect(!revoked.contains(session(issuer: "https://b"), now: now + 5))
    }

    @Test func `a logout message outlives the sessions by seven days at least: other tokens of the user are good for longer`() {
        let week: Int64 = 7 * 24 * 3_600_000
        var revoked = RevokedSessions()
        revoked.revoke(issuer: "https://a", providerSessionID: "s1", limits: limits, now: now)
        revoked.revoke(issuer: "https://a", subject: "bob", limits: limits, now: now)
        for session in [session(), session(subject: "bob", sid: nil)] {
            #expect(revoked.contains(session, now: now + week - 1) && !revoked.contains(session, now: now + week))
        }
    }

    @Test func `a logout message with sub ends all sessions of the person from that issuer, but not the next one`() {
        var revoked = RevokedSessions()
        revoked.revoke(issuer: "https://a", subject: "alice", limits: limits, now: now)
        for sid in ["s1", "s2", nil] { #expect(revoked.contains(session(sid: sid, now: now - 50), now: now + 5)) }
        #expect(!revoked.contains(session(subject: "bob"), now: now + 5))
        #expect(!revoked.contains(session(issuer: "https://b"), now: now + 5))
        #expect(!revoked.contains(session(now: now + 1), now: now + 5))
        revoked.revoke(issuer: "https://a", subject: "alice", limits: limits, now: now + 2)
        #expect(revoked.contains(session(now: now + 1), now: now + 5))
    }

    @Test func `a full table refuses new entries and forgets none that is needed`() {
        var revoked = RevokedSessions(capacity: 16)
        let sessions = (0..<18).map { _ in session() }
        for session in sessions[..<8] { revoked.revoke(session, limits: SessionLimits(idle: 10, absolute: 10), now: now) }
        for session in sessions[8..<16] { revoked.revoke(session, limits: limits, now: now) }
        let isNewTaken = revoked.revoke(sessions[16], limits: limits, now: now)
        #expect(!isNewTaken)
        let isKnownTaken = revoked.revoke(sessions[0], limits: limits, now: now)
        #expect(isKnownTaken, "a known entry needs no space")
        for session in sessions[..<16] { #expect(revoked.contains(session, now: now + 1)) }
        let isLaterTaken = revoked.revoke(sessions[17], limits: limits, now: now + 2_000)
        #expect(isLaterTaken, "what has expired makes space")
        for session in sessions[8..<16] { #expect(revoked.contains(session, now: now + 2_000)) }
    }

    @Test func `step 8: a jti counts as used until its token expires, at its issuer only`() {
        var revoked = RevokedSessions()
        let used = revoked.digester.record(usingLogoutToken: "j", issuer: "https://a", until: now + 100)
        let isTaken = revoked.insert([used], now: now)
        #expect(isTaken)
        #expect(revoked.contains(revoked.digester.logoutToken(issuer: "https://a", id: "j"), now: now + 99))
        #expect(!revoked.contains(revoked.digester.logoutToken(issuer: "https://a", id: "j"), now: now + 100))
        #expect(!revoked.contains(revoked.digester.logoutToken(issuer: "https://b", id: "j"), now: now))
        revoked.remove(used)
        #expect(revoked.isEmpty)
    }

    // MARK: Tokens

    private static func token(exp: Int64, _ signature: String = "c2lnbmF0dXJl") -> String {
        let parts = [#"{"alg":"RS256"}"#, "{\"exp\":\(exp)}"].map { Base64URL.encode(Array($0.utf8)) }
        return parts.joined(separator: ".") + "." + signature
    }

    private func session(tokens: Session.Tokens) -> Session {
        Example.session(identity: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "alice"), tokens: tokens, now: now)
    }

    @Test func `the tokens of a session that ended are refused until their exp, however their signature is written`() {
        var revoked = RevokedSessions()
        let token = Self.token(exp: now / 1000 + 7200)
        let tokens = Session.Tokens(accessToken: "opaque", accessTokenExpiresAt: now + 60_000, idToken: token)
        revoked.revoke(session(tokens: tokens), limits: limits, now: now)
        let digester = revoked.digester
        #expect(revoked.contains(digester.token(token), now: now + 7_199_000))
        #expect(revoked.contains(digester.token(Self.token(exp: now / 1000 + 7200, "YW5vdGhlcg")), now: now))
        #expect(!revoked.contains(digester.token(Self.token(exp: now / 1000 + 7201)), now: now))
        #expect(!revoked.contains(digester.token(token), now: now + 7_200_000 + 120_000))
        #expect(revoked.contains(digester.token("opaque"), now: now + 59_000))
        #expect(!revoked.contains(digester.token("opaque"), now: now + 180_000))
    }

    @Test(arguments: [Int64.min, -1, .max]) func `an exp that is no time counts as none`(exp: Int64) {
        var revoked = RevokedSessions()
        revoked.revoke(session(tokens: .init(idToken: Self.token(exp: exp))), limits: limits, now: now)
        let digest = revoked.digester.token(Self.token(exp: exp))
        #expect(revoked.contains(digest, now: now + 129_999) && !revoked.contains(digest, now: now + 130_000))
    }

    @Test func `a token is remembered for a year at most`() {
        let year: Int64 = 365 * 24 * 3_600_000
        var revoked = RevokedSessions()
        let token = Self.token(exp: 253_402_300_799)
        revoked.revoke(session(tokens: .init(idToken: token)), limits: limits, now: now)
        #expect(revoked.contains(revoked.digester.token(token), now: now + year))
        #expect(!revoked.contains(revoked.digester.token(token), now: now + year + 120_000))
    }

    @Test func `a session that takes another's place keeps the tokens they share`() {
        var revoked = RevokedSessions()
        let kept = Self.token(exp: now / 1000 + 7200)
        let old = session(tokens: .init(accessToken: "old", idToken: kept))
        let next = session(tokens: .init(idToken: kept))
        let isTaken = revoked.insert(revoked.digester.records(ending: old, keeping: next, limits: limits, now: now), now: now)
        #expect(isTaken)
        #expect(!revoked.contains(revoked.digester.token(kept), now: now))
        #expect(revoked.contains(revoked.digester.token("old"), now: now))
        #expect(revoked.contains(old, now: now) && !revoked.contains(next, now: now))
    }
}
