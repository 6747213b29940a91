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
        shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start), limits: limits, now: start)
        #expect(shared.records(now: start).isEmpty)
        #expect(shared.endAll(ofUser: alice.uid, limits: limits, now: start))
        shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start + 1), limits: limits, now: start + 1)
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

    // MARK: The reading of 2026-11-28, finding 3

    private func anonymous(_ number: Int = 0, issuedAt: Int64) -> Session {
        Session.issue(
            for: AccountOutcome(
                supposing: ProviderIdentity(provider: "anonymous", issuer: Account.issuer(of: "anonymous"), subject: "anonymous \(number)")),
            authTime: nil, providerSessionID: nil, tokens: .init(), facts: SessionAccount(providers: [], isAnonymous: true), now: issuedAt)
    }

    @Test func `a full list takes endings of accounts`() {
        let shared = SharedSessions(capacity: 4)
        let alice = session(issuedAt: start)
        for number in 0..<10 { shared.revoke(session(of: "user \(number)", issuedAt: start), limits: limits, now: start) }
        #expect(shared.revocationLists(now: start).first { $0.name == .sessions }?.isFull == true)
        #expect(!shared.revoke(session(of: "bob", issuedAt: start), limits: limits, now: start))
        shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start), limits: limits, now: start)
        #expect(shared.isEnded(alice, limits: limits, now: start))
        #expect(!shared.isEnded(session(issuedAt: start + 1), limits: limits, now: start + 1))
    }

    @Test func `endings of accounts take no place of a sign-out, and each account and provider has one entry`() {
        let shared = SharedSessions(capacity: 4)
        for number in 0..<1_000 as Range<Int64> {
            shared.end(AccountEnding(uid: "uid \(number % 10)", issuedUpTo: start + number), limits: limits, now: start + number)
            shared.end(AccountEnding(uid: "uid 1", provider: "p", issuedUpTo: start + number), limits: limits, now: start + number)
        }
        #expect(shared.revocationLists(now: start).first { $0.name == .accounts } == RevocationList(.accounts, count: 11, limit: nil))
        let bob = session(of: "bob", issuedAt: start)
        #expect(shared.revoke(bob, limits: limits, now: start + 1_000) && shared.isEnded(bob, limits: limits, now: start + 1_000))
    }

    @Test func `an ending expires when no session that it means can be alive, whenever it was read`() {
        let day: Int64 = 86_400_000
        for (admitsTokens, memory) in [(true, 7 * day), (false, day)] {
            let limits = SessionLimits(idle: 1_000, absolute: day, admitsTokens: admitsTokens)
            #expect(limits.endingMemory == memory)
            let shared = SharedSessions()
            shared.end(AccountEnding(uid: "old", issuedUpTo: start - memory), limits: limits, now: start)
            #expect(shared.revocationLists(now: start).first { $0.name == .accounts }?.count == 0)
            let alice = session(issuedAt: start)
            shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start), limits: limits, now: start + day - 2)
            #expect(shared.isEnded(alice, limits: limits, now: start + memory - 1))
            #expect(!shared.isEnded(alice, limits: limits, now: start + memory))
        }
    }

    @Test func `a longer limit makes endings that are read again count for longer`() {
        let (short, long) = (
            SessionLimits(idle: 1, absolute: 10, admitsTokens: false), SessionLimits(idle: 1, absolute: 50, admitsTokens: false)
        )
        let shared = SharedSessions()
        let alice = session(issuedAt: start)
        for limits in [short, long, short] { shared.end(AccountEnding(uid: alice.uid, issuedUpTo: start), limits: limits, now: start) }
        #expect(shared.isEnded(alice, limits: long, now: start + 49) && !shared.isEnded(alice, limits: long, now: start + 50))
    }

    @Test func `expired endings are removed as others come`() {
        let limits = SessionLimits(idle: 1, absolute: 10, admitsTokens: false)
        let shared = SharedSessions()
        for number in 0..<20_000 as Range<Int64> {
            shared.end(AccountEnding(uid: "uid \(number)", issuedUpTo: start + number), limits: limits, now: start + number)
        }
        #expect(shared.revocationLists(now: start).first { $0.name == .accounts }.map { $0.count <= 1_100 } == true)
    }

    @Test func `anonymous sessions fill a list of their own, and nobody else's sign-out is refused`() {
        let shared = SharedSessions(capacity: 8, anonymousCapacity: 4)
        let taken = (0..<6).map { shared.revoke(anonymous($0, issuedAt: start), limits: limits, now: start) }
        #expect(taken == [true, true, true, true, false, false])
        let users = (0..<9).map { shared.revoke(session(of: "user \($0)", issuedAt: start), limits: limits, now: start) }
        #expect(users == Array(repeating: true, count: 8) + [false])
        #expect(
            shared.revocationLists(now: start).prefix(2) == [
                RevocationList(.sessions, count: 8, limit: 8), RevocationList(.anonymous, count: 4, limit: 4),
            ])
    }

    @Test func `a restart puts the ends of anonymous sessions into their list again`() {
        let digester = RevocationDigester()
        let shared = SharedSessions(digester: digester)
        let (alice, stranger) = (session(issuedAt: start), anonymous(issuedAt: start))
        for session in [alice, stranger] { shared.revoke(session, limits: limits, now: start) }
        let records = shared.records(now: start)
        #expect(Set(records.map(\.kind)) == [.session], "a file has no kind that earlier builds do not know")
        let restarted = SharedSessions(digester: digester)
        #expect(restarted.restore(records, now: start))
        #expect(restarted.revocationLists(now: start).prefix(2).map(\.count) == [1, 1])
        for session in [alice, stranger] { #expect(restarted.isEnded(session, limits: limits, now: start)) }
    }
}
