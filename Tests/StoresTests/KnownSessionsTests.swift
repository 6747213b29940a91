import Sessions
import Testing

@testable import Stores

@Suite("The ends that a process with a session store knows (reading of 2026-11-28, finding 3)")
struct KnownSessionsTests {
    private static let now: Int64 = 1_800_000_000_000
    private let digester = RevocationDigester()

    private func end(_ number: UInt8, isAnonymous: Bool = false) -> RevocationRecord {
        .session(digester.session([number]), isAnonymous: isAnonymous, expiry: Self.now + 86_400_000)
    }

    private func isEnded(_ known: KnownSessions, _ digest: RevocationDigest) -> Bool {
        known.isEnded([digest], issuedAt: Self.now - 1, now: Self.now)
    }

    @Test func `full lists take endings of accounts`() {
        let known = KnownSessions(capacity: 2)
        let limits = SessionLimits(idle: 1_000, absolute: 86_400_000)
        known.insert((1...2).map { end($0) }, now: Self.now)
        known.insert((3...4).map { end($0, isAnonymous: true) }, now: Self.now)
        for uid in ["a", "b", "c"] {
            known.insertLocal(digester.record(AccountEnding(uid: uid, issuedUpTo: Self.now), limits: limits), now: Self.now)
            #expect(isEnded(known, digester.account(uid)))
        }
        for number in 1...4 as ClosedRange<UInt8> { #expect(isEnded(known, digester.session([number]))) }
        #expect(known.revocationLists(now: Self.now).map(\.count) == [2, 2, 3])
    }

    @Test func `a replica counts an anonymous session's end that it hears among those`() throws {
        let known = KnownSessions(capacity: 2)
        guard case .ends(let records)? = RedisMessage(RedisMessage(ends: [end(1, isAnonymous: true), end(2)]).bytes) else {
            Issue.record("no ends")
            return
        }
        known.insert(records, now: Self.now)
        #expect(known.revocationLists(now: Self.now).map(\.count) == [1, 1, 0])
        for number in 1...2 as ClosedRange<UInt8> { #expect(isEnded(known, digester.session([number]))) }
    }

    @Test func `an end without a place makes the process ask about every session`() {
        let known = KnownSessions(capacity: 1)
        known.setHearing(true)
        let before = known.epoch
        known.insert([end(1)], now: Self.now)
        #expect(known.epoch == before)
        known.insert([end(2)], now: Self.now)
        #expect(known.epoch != before)
    }
}
