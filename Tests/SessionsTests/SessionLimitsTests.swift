import Sessions
import Testing

@Suite struct SessionLimitsTests {
    private static let hour: Int64 = 3_600_000
    private let limits = SessionLimits(idle: hour, absolute: 24 * hour)
    private let session = Example.session()

    @Test(
        "a session ends at its idle limit, at its absolute limit, and when it comes from the future",
        arguments: [
            (0, nil),
            (hour - 1, nil),
            (hour, .idleLimit),
            (23 * hour, .idleLimit),
            (24 * hour, .absoluteLimit),
            (1000 * hour, .absoluteLimit),
            (-60_000, nil),
            (-300_001, .fromTheFuture),
        ] as [(Int64, Authentication.Refusal?)])
    func limits(elapsed: Int64, refusal: Authentication.Refusal?) {
        let expected = refusal.map(Authentication.invalid) ?? .session(session)
        #expect(limits.evaluate(session, now: Example.start + elapsed) == expected)
    }

    @Test func `a stamp from the future counts no less than an issue time from the future`() {
        let renewed = limits.renewed(session, now: Example.start + 300_001)
        #expect(limits.evaluate(renewed, now: Example.start) == .invalid(.fromTheFuture))
        #expect(limits.evaluate(renewed, now: Example.start + 1) == .session(renewed))
    }

    @Test func `requests extend the idle limit, never the absolute one (NIST SP 800-63B section 5.2)`() {
        var session = session
        var now = Example.start
        while now < Example.start + 24 * Self.hour {
            #expect(limits.evaluate(session, now: now) == .session(session))
            session = limits.renewed(session, now: now)
            now += Self.hour / 2
        }
        #expect(limits.evaluate(session, now: now) == .invalid(.absoluteLimit))
    }

    @Test func `a renewal stamps the idle limit and nothing else`() {
        let renewed = limits.renewed(session, now: Example.start + 5000)
        #expect(renewed.seenAt == Example.start + 5000 && renewed.issuedAt == session.issuedAt && renewed.id == session.id)
        #expect(renewed.authTime == session.authTime && renewed.generation == session.generation && renewed.tokens == session.tokens)
        #expect(limits.renewed(renewed, now: Example.start) == renewed)
    }

    @Test(
        "a renewal is due after a tenth of the idle limit or 60 s, whichever is shorter",
        arguments: [
            (3_600_000, 59_999, false), (3_600_000, 60_000, true), (300_000, 29_999, false), (300_000, 30_000, true), (3_600_000, 0, false),
            (3_600_000, -1000, false),
        ] as [(Int64, Int64, Bool)])
    func renewal(idle: Int64, elapsed: Int64, due: Bool) {
        let limits = SessionLimits(idle: idle, absolute: 24 * Self.hour)
        #expect(limits.renewalDue(session, now: Example.start + elapsed) == due)
    }

    @Test func `the expiry is the nearer of the two limits`() {
        #expect(limits.expiry(of: session) == Example.start + Self.hour)
        let late = limits.renewed(session, now: Example.start + 24 * Self.hour - 5)
        #expect(limits.expiry(of: late) == Example.start + 24 * Self.hour)
    }

    @Test func `limits at the end of time do not overflow`() {
        let forever = SessionLimits(idle: .max, absolute: .max)
        #expect(forever.evaluate(session, now: .max) == .invalid(.absoluteLimit))
        #expect(forever.evaluate(session, now: .max - 1) == .session(session))
        #expect(forever.expiry(of: session) == .max)
        #expect(limits.evaluate(session, now: .min) == .invalid(.fromTheFuture))
    }
}
