import Testing

@testable import Sessions

@Suite struct EndedSessionCountsTests {
    private let digester = RevocationDigester()
    private let window: Int64 = 10_000

    private func counts(perUser: Int = 3, users: Int = 100, negligible: Int = 1) -> EndedSessionCounts {
        var limits = EndedSessionCounts.Limits()
        limits.perUser = perUser
        limits.users = users
        limits.negligible = negligible
        return EndedSessionCounts(limits: limits)
    }

    private func user(_ name: String) -> RevocationDigest { digester.user(issuer: "https://a", subject: name) }

    @Test func `a user over the limit concerns no other user`() {
        var counts = counts()
        let alice = (0..<5).map { _ in counts.exceedsLimit(user("alice"), window: window, now: 0) }
        let bob = counts.exceedsLimit(user("bob"), window: window, now: 0)
        #expect(alice == [false, false, false, true, true] && !bob)
    }

    @Test func `a count covers the window before, and is forgotten after that`() {
        var counts = counts()
        for now in [0, 1, 2] as [Int64] { _ = counts.exceedsLimit(user("alice"), window: window, now: now) }
        let inNext = counts.exceedsLimit(user("alice"), window: window, now: 10_001)
        let later = counts.exceedsLimit(user("alice"), window: window, now: 20_001)
        #expect(inNext && !later)
    }

    @Test func `a user who ends few sessions all the time never comes to the limit`() {
        var counts = counts()
        let outcomes = (0..<100).map { counts.exceedsLimit(user("alice"), window: window, now: $0 * 10_000) }
        #expect(!outcomes.contains(true))
    }

    @Test func `many users displace nobody who ended many sessions`() {
        var counts = counts(users: 10)
        for _ in 0..<3 { _ = counts.exceedsLimit(user("alice"), window: window, now: 0) }
        for number in 0..<1_000 { _ = counts.exceedsLimit(user("\(number)"), window: window, now: 0) }
        let alice = counts.exceedsLimit(user("alice"), window: window, now: 0)
        #expect(alice)
    }
}
