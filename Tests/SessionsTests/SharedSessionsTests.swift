import Accounts
import Testing

@testable import Sessions

@Suite struct SharedSessionsTests {
    private let limits = SessionLimits(idle: 1_000_000, absolute: 86_400_000)
    private let start: Int64 = 1_900_000_000_000

    private func session(of subject: String = "alice", issuedAt: Int64) -> Session {
        Session.issue(
            for: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: subject)), authTime: nil,
            providerSessionID: nil, tokens: .init(), now: issuedAt)
    }

    @Test func `one user's sign-ins take a limited number of records, and her newest session goes on`() {
        let shared = SharedSessions()
        var current = session(issuedAt: start)
        let other = session(issuedAt: start)
        let stranger = session(of: "bob", issuedAt: start)
        for number in 1...1_000 as ClosedRange<Int64> {
            let next = session(issuedAt: start + number)
            #expect(shared.revoke(current, replacedBy: next, limits: limits, now: start + number))
            current = next
        }
        #expect(!shared.isEnded(other, limits: limits, now: start + 1_000))
        for number in 1_001...5_000 as ClosedRange<Int64> {
            let next = session(issuedAt: start + number)
            #expect(shared.revoke(current, replacedBy: next, limits: limits, now: start + number))
            #expect(shared.isEnded(current, limits: limits, now: start + number))
            current = next
        }
        #expect(shared.records(now: start + 5_000).count == 1_001)
        #expect(!shared.isEnded(current, limits: limits, now: start + 5_000))
        #expect(shared.isEnded(other, limits: limits, now: start + 5_000), "one record ends all of the earlier sessions")
        #expect(!shared.isEnded(stranger, limits: limits, now: start + 5_000))
    }

    @Test func `an operator's end of a user or of everyone is kept in files, an ending of the account store is not`() throws {
        let digester = RevocationDigester()
        let shared = SharedSessions(digester: digester)
        let (alice, bob) = (session(issuedAt: start), session(of: "bob", issuedAt: start))
        #expect(shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start), limits: limits, now: start))
        #expect(shared.records(now: start).isEmpty)
        #expect(shared.endAll(ofUser: alice.uid, limits: limits, now: start))
        // The kind of the first must not decide for the second, nor the second's for a third.
        #expect(shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start + 1), limits: limits, now: start + 1))
        let restarted = SharedSessions(digester: digester)
        #expect(restarted.restore(shared.records(now: start), now: start))
        #expect(restarted.isEnded(alice, limits: limits, now: start))
        #expect(!restarted.isEnded(bob, limits: limits, now: start))
        #expect(shared.endEveryone(limits: limits, now: start))
        #expect(restarted.restore(shared.records(now: start), now: start))
        #expect(restarted.isEnded(bob, limits: limits, now: start))
        #expect(!restarted.isEnded(session(of: "bob", issuedAt: start + 1), limits: limits, now: start + 1))
    }

    @Test func `signing out the same session again and again counts once`() {
        let shared = SharedSessions()
        let first = session(issuedAt: start)
        let other = session(issuedAt: start)
        for _ in 0..<2_000 { #expect(shared.revoke(first, limits: limits, now: start + 1)) }
        #expect(shared.records(now: start + 1).count == 1 && !shared.isEnded(other, limits: limits, now: start + 1))
    }

    @Test func `beyond the limit an old cookie does not end sessions that were issued later`() {
        let shared = SharedSessions()
        for number in 0..<1_001 as Range<Int64> { shared.revoke(session(issuedAt: start + number), limits: limits, now: start + number) }
        let old = session(issuedAt: start)
        #expect(shared.isEnded(old, limits: limits, now: start + 2_000))
        let next = session(issuedAt: start + 2_000)
        #expect(shared.revoke(old, limits: limits, now: start + 3_000))
        #expect(!shared.isEnded(next, limits: limits, now: start + 3_000))
    }
}
