import Sessions
import Testing

@Suite struct RevokedSessionsTests {
    private let now = Example.start

    @Test func `a revoked session stays revoked until it would have ended anyway`() {
        var revoked = RevokedSessions()
        let session = Example.session()
        #expect(!revoked.contains(session.id, now: now))
        revoked.revoke(session, limits: SessionLimits(idle: 1000, absolute: 10_000), now: now)
        #expect(revoked.contains(session.id, now: now))
        #expect(revoked.contains(session.id, now: now + 9_999))
        #expect(!revoked.contains(session.id, now: now + 10_000))
        #expect(!revoked.contains(Example.session().id, now: now))
    }

    @Test func `a second revocation never shortens the first`() {
        var revoked = RevokedSessions()
        revoked.revoke([1], until: now + 1000, now: now)
        revoked.revoke([1], until: now + 10, now: now)
        #expect(revoked.contains([1], now: now + 999))
    }

    @Test func `what is over already takes no room`() {
        var revoked = RevokedSessions()
        revoked.revoke([1], until: now, now: now)
        #expect(revoked.isEmpty)
    }

    @Test func `the list is bounded: what has expired goes first, then what ends soonest`() {
        var revoked = RevokedSessions(capacity: 16)
        for index in 0..<8 { revoked.revoke([UInt8(index)], until: now + 10, now: now) }
        for index in 8..<16 { revoked.revoke([UInt8(index)], until: now + 1000 + Int64(index), now: now) }
        revoked.revoke([16], until: now + 5000, now: now + 20)
        #expect(revoked.count == 9)
        for index in 17..<24 { revoked.revoke([UInt8(index)], until: now + 5000, now: now + 20) }
        #expect(revoked.count == 16)
        revoked.revoke([24], until: now + 5000, now: now + 20)
        #expect(revoked.count == 16)
        #expect(!revoked.contains([8], now: now + 21) && revoked.contains([9], now: now + 21) && revoked.contains([24], now: now + 21))
    }
}
