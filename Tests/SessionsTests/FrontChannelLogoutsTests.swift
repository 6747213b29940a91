import Accounts
import Testing

@testable import Sessions

@Suite struct FrontChannelLogoutsTests {
    private let now = Example.start

    /// A table, and the front-channel logouts and sessions that come to it.
    private struct Bench {
        private static let absolute: Int64 = 10_000
        let digester = RevocationDigester()
        var table: FrontChannelLogouts

        init(unmatched: Int = 100, perAddress: Int = 10, known: Int = 100) {
            var limits = FrontChannelLogouts.Limits()
            limits.unmatched = unmatched
            limits.unmatchedPerAddress = perAddress
            limits.known = known
            table = FrontChannelLogouts(digester: digester, limits: limits)
        }

        mutating func receive(_ sid: String, from address: String? = "192.0.2.1", now: Int64) -> FrontChannelLogouts.Outcome {
            table.receive(
                digester.providerSession(issuer: "https://a", sid: sid), from: address,
                sessions: SessionLimits(idle: 1000, absolute: Self.absolute), now: now)
        }

        /// Whether the session had been ended.
        mutating func see(_ sid: String, issuedAt: Int64, now: Int64) -> Bool {
            let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "alice")
            return table.see(
                digester.providerSession(issuer: "https://a", sid: sid), of: Example.session(identity: identity, sid: sid, now: issuedAt),
                until: issuedAt + Self.absolute, now: now)
        }
    }

    private func isKept(_ outcome: FrontChannelLogouts.Outcome, isRelevant: Bool = false) -> Bool {
        if case .kept(_, isRelevant) = outcome { true } else { false }
    }

    private func isWritten(_ outcome: FrontChannelLogouts.Outcome) -> Bool {
        if case .kept(.some, _) = outcome { true } else { false }
    }

    @Test func `a flood of junk displaces nothing, and a session that was seen can still be ended`() {
        var bench = Bench(unmatched: 50, perAddress: 100)
        let realBefore = bench.see("real", issuedAt: now, now: now)
        let early = bench.receive("early", now: now)
        for number in 0..<1_000 { _ = bench.receive("junk \(number)", from: "\(number)", now: now) }
        let late = bench.receive("late", now: now)
        let earlyAfter = bench.see("early", issuedAt: now - 1, now: now)
        let real = bench.receive("real", now: now)
        #expect(!realBefore && isKept(early) && late == .full)
        #expect(earlyAfter, "an earlier entry is still there")
        #expect(real == .matched)
    }

    @Test func `one address cannot fill the table, and may send again when its entries have expired`() {
        var bench = Bench(perAddress: 3)
        let first = (0..<4).map { bench.receive("\($0)", now: now) }
        let other = bench.receive("3", from: "192.0.2.2", now: now)
        let later = bench.receive("4", now: now + 10_000)
        #expect(first[..<3].allSatisfy { isKept($0) } && first[3] == .tooManyFromAddress)
        #expect(isKept(other) && isKept(later))
    }

    @Test func `one sid from ever new addresses takes a limited number of entries, and one write a second`() {
        var bench = Bench(unmatched: 50)
        let outcomes = (0..<20_000).map { bench.receive("s", from: "2001:db8:\($0)", now: now) }
        let inNextSecond = bench.receive("s", from: "2001:db8:0", now: now + 1_001)
        let afterExpiry = bench.receive("s", from: "2001:db8:20000", now: now + 20_000)
        #expect(outcomes.count { isKept($0) } == 50 && outcomes.count { $0 == .tooManyFromAddress } == 19_950)
        #expect(outcomes.count { isWritten($0) } == 1 && isWritten(inNextSecond))
        #expect(isKept(afterExpiry), "addresses whose entries expired make room")
    }

    @Test func `clients without an address of their own are not counted by it`() {
        var bench = Bench(unmatched: 20, perAddress: 3)
        let outcomes = (0..<21).map { bench.receive("\($0)", from: nil, now: now) }
        #expect(outcomes[..<20].allSatisfy { isKept($0) } && outcomes[20] == .full)
    }

    @Test func `a session that is seen after its logout has ended, one that was issued later has not`() {
        var bench = Bench()
        _ = bench.receive("s", now: now)
        let earlier = bench.see("s", issuedAt: now - 5, now: now + 1)
        let later = bench.see("s", issuedAt: now + 1, now: now + 1)
        #expect(earlier && !later)
    }

    @Test func `a logout that is sent again ends nothing, until a session is seen that was issued since`() {
        var bench = Bench()
        _ = bench.see("s", issuedAt: now, now: now)
        let first = bench.receive("s", now: now + 1)
        _ = bench.see("s", issuedAt: now, now: now + 2)
        let second = bench.receive("s", now: now + 2)
        _ = bench.see("s", issuedAt: now + 3, now: now + 3)
        let third = bench.receive("s", now: now + 4)
        bench.table.takeBack(bench.digester.providerSession(issuer: "https://a", sid: "s"))
        let fourth = bench.receive("s", now: now + 5)
        #expect([first, second, third, fourth] == [.matched, .repeated, .matched, .matched])
    }

    @Test func `when not every session is known, each logout that is kept concerns the caches`() {
        var bench = Bench(known: 1)
        for sid in ["a", "b"] { _ = bench.see(sid, issuedAt: now, now: now) }
        let known = bench.receive("a", now: now + 1)
        let unknown = bench.receive("b", now: now + 1)
        let afterwards = bench.receive("c", now: now + 10_000)
        #expect(known == .matched && isKept(unknown, isRelevant: true))
        #expect(isKept(afterwards), "all sessions of then are over")
    }

    @Test func `what is kept can be restored`() {
        var first = Bench()
        _ = first.receive("s", now: now)
        var table = FrontChannelLogouts(digester: first.digester)
        for record in first.table.records(now: now) { table.restore(record, now: now) }
        first.table = table
        let isEnded = first.see("s", issuedAt: now, now: now)
        #expect(isEnded)
    }

    @Test func `the networks of an IPv6 /48 have four times the number of one (reading of 2026-11-28, finding 7)`() {
        var table = FrontChannelLogouts(digester: RevocationDigester())
        func outcomes(_ network: (Int) -> String, _ count: Int) -> [FrontChannelLogouts.Outcome] {
            (0..<count).map { number in
                table.receive(
                    RevocationDigester().providerSession(issuer: "https://a", sid: "\(network(0)) \(number)"), from: network(number),
                    sessions: SessionLimits(idle: 1_000, absolute: 10_000), now: now)
            }
        }
        #expect(outcomes({ "2001:db8:1:\(String($0, radix: 16))::" }, 300).count { isKept($0) } == 256)
        #expect(outcomes({ "2001:db8:2:\(String($0 % 2, radix: 16))::" }, 300).count { isKept($0) } == 128)
        #expect(outcomes({ "192.0.2.\($0 % 250)" }, 300).allSatisfy { isKept($0) })
    }
}
