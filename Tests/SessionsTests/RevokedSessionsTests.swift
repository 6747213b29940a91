import Accounts
import Sessions
import Testing

@Suite struct RevokedSessionsTests {
    private let now = Example.start
    private let limits = SessionLimits(idle: 1000, absolute: 10_000)

    private func session(issuer: String = "https://a", subject: String = "alice", sid: String? = "s1", now: Int64 = Example.start)
        -> Session
    {
        Example.session(identity: ProviderIdentity(provider: "oidc.a", issuer: issuer, subject: subject), sid: sid, now: now)
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
        #expect(revoked.contains(session.id, now: now) && !revoked.contains([1], now: now))
    }

    @Test func `a second revocation never shortens the first`() {
        var revoked = RevokedSessions()
        let session = session()
        revoked.revoke(session.id, until: now + 1000, now: now)
        revoked.revoke(session.id, until: now + 10, now: now)
        #expect(revoked.contains(session, now: now + 999))
    }

    @Test func `what is over already takes no room`() {
        var revoked = RevokedSessions()
        revoked.revoke([1], until: now, now: now)
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
        #expect(!revoked.contains(session(), now: now + 10_000))
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

    @Test func `the list is bounded: what has expired goes first, then what ends soonest`() {
        var revoked = RevokedSessions(capacity: 16)
        let sessions = (0..<25).map { _ in session() }
        for session in sessions[..<8] { revoked.revoke(session.id, until: now + 10, now: now) }
        for (index, session) in sessions[8..<16].enumerated() { revoked.revoke(session.id, until: now + 1000 + Int64(index), now: now) }
        revoked.revoke(sessions[16].id, until: now + 5000, now: now + 20)
        #expect(revoked.count == 9)
        for session in sessions[17..<24] { revoked.revoke(session.id, until: now + 5000, now: now + 20) }
        #expect(revoked.count == 16)
        revoked.revoke(sessions[24].id, until: now + 5000, now: now + 20)
        #expect(revoked.count == 16)
        #expect(sessions.indices.filter { revoked.contains(sessions[$0], now: now + 21) } == Array(9...24))
    }
}
