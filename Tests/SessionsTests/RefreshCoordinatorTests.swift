import Sessions
import Testing

@Suite struct RefreshCoordinatorTests {
    private let session = Example.session()
    private var key: RefreshCoordinator.Key { .init(session) }
    private let now = Example.start

    private func refreshed(_ session: Session) -> Session {
        session.refreshed(tokens: .init(accessToken: "new"), identity: nil, now: now) ?? session
    }

    @Test func `a thousand parallel requests refresh once, and all get the result`() {
        var coordinator = RefreshCoordinator()
        let answers = (0..<1000).map { coordinator.request(key, now: now + $0) }
        #expect(answers.filter { $0 == .start }.count == 1 && answers.first == .start)
        #expect(answers.dropFirst().allSatisfy { $0 == .wait })
        let result = refreshed(session)
        coordinator.succeeded(key, result, now: now + 2000)
        #expect((0..<1000).allSatisfy { coordinator.request(key, now: now + 2000 + $0) == .useResult(result) })
    }

    @Test func `a request that comes later with the old cookie gets the refreshed session, for a while`() {
        var coordinator = RefreshCoordinator()
        let result = refreshed(session)
        _ = coordinator.request(key, now: now)
        coordinator.succeeded(key, result, now: now)
        #expect(coordinator.request(key, now: now + 599_999) == .useResult(result))
        #expect(coordinator.request(key, now: now + 600_000) == .start)
    }

    @Test func `the next generation is refreshed by itself, and so is another session`() {
        var coordinator = RefreshCoordinator()
        _ = coordinator.request(key, now: now)
        let result = refreshed(session)
        coordinator.succeeded(key, result, now: now)
        #expect(coordinator.request(.init(result), now: now) == .start)
        #expect(coordinator.request(.init(result), now: now) == .wait)
        #expect(coordinator.request(.init(Example.session()), now: now) == .start)
        #expect(coordinator.request(key, now: now) == .useResult(result))
    }

    @Test func `invalid_grant ends the session for every request with that cookie`() {
        var coordinator = RefreshCoordinator()
        _ = coordinator.request(key, now: now)
        coordinator.failed(key, .invalidGrant, now: now)
        #expect(coordinator.request(key, now: now) == .ended)
        #expect(coordinator.request(key, now: now + 599_999) == .ended)
    }

    @Test func `an outage is retried with growing delays, one request at a time, and never ends the session`() {
        var coordinator = RefreshCoordinator()
        var time = now
        var delays: [Int64] = []
        for _ in 0..<9 {
            #expect(coordinator.request(key, now: time) == .start)
            #expect(coordinator.request(key, now: time) == .wait)
            coordinator.failed(key, .outage, now: time)
            guard case .notNow(let retryAt) = coordinator.request(key, now: time) else {
                Issue.record("no back-off")
                return
            }
            delays.append(retryAt - time)
            #expect(coordinator.request(key, now: retryAt - 1) == .notNow(retryAt: retryAt))
            time = retryAt
        }
        #expect(delays == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
        let result = refreshed(session)
        #expect(coordinator.request(key, now: time) == .start)
        coordinator.succeeded(key, result, now: time)
        #expect(coordinator.request(key, now: time) == .useResult(result))
    }

    @Test func `after a long calm an outage begins with the shortest delay again`() {
        var coordinator = RefreshCoordinator()
        for _ in 0..<3 { coordinator.failed(key, .outage, now: now) }
        let later = now + 3_600_000
        #expect(coordinator.request(key, now: later) == .start)
        coordinator.failed(key, .outage, now: later)
        #expect(coordinator.request(key, now: later) == .notNow(retryAt: later + 1000))
    }

    @Test func `whoever started and never reported is replaced after the attempt's time`() {
        var coordinator = RefreshCoordinator()
        #expect(coordinator.request(key, now: now) == .start)
        #expect(coordinator.request(key, now: now + 29_999) == .wait)
        #expect(coordinator.request(key, now: now + 30_000) == .start)
        #expect(coordinator.request(key, now: now + 30_001) == .wait)
    }

    @Test func `a failure never takes back a success: the provider refuses the second use of a refresh token`() {
        var coordinator = RefreshCoordinator()
        _ = coordinator.request(key, now: now)
        let result = refreshed(session)
        coordinator.succeeded(key, result, now: now)
        coordinator.failed(key, .invalidGrant, now: now)
        coordinator.failed(key, .outage, now: now)
        #expect(coordinator.request(key, now: now) == .useResult(result))
    }

    @Test func `a success counts although a second attempt was refused before it was reported`() {
        var coordinator = RefreshCoordinator()
        _ = coordinator.request(key, now: now)
        _ = coordinator.request(key, now: now + 30_000)
        coordinator.failed(key, .invalidGrant, now: now + 30_001)
        coordinator.failed(key, .outage, now: now + 30_001)
        #expect(coordinator.request(key, now: now + 30_001) == .ended)
        let result = refreshed(session)
        coordinator.succeeded(key, result, now: now + 30_002)
        #expect(coordinator.request(key, now: now + 30_003) == .useResult(result))
    }

    @Test func `what is remembered is bounded, and what is running is never forgotten`() {
        var limits = RefreshCoordinator.Limits()
        limits.entries = 32
        var coordinator = RefreshCoordinator(limits: limits)
        #expect(coordinator.request(key, now: now) == .start)
        var last = session
        for step in 0..<1000 {
            last = Example.session()
            #expect(coordinator.request(.init(last), now: now + Int64(step)) == .start)
            coordinator.succeeded(.init(last), refreshed(last), now: now + Int64(step))
            #expect(coordinator.count <= 32)
        }
        #expect(coordinator.request(key, now: now + 1000) == .wait)
        #expect(coordinator.request(.init(last), now: now + 1000) == .useResult(refreshed(last)))
    }

    @Test func `when everything is running a further session waits its turn`() {
        var limits = RefreshCoordinator.Limits()
        limits.entries = 3
        var coordinator = RefreshCoordinator(limits: limits)
        let sessions = (0..<4).map { _ in Example.session() }
        for session in sessions.prefix(3) { #expect(coordinator.request(.init(session), now: now) == .start) }
        #expect(coordinator.request(.init(sessions[3]), now: now) == .notNow(retryAt: now + 1000))
        #expect(coordinator.request(.init(sessions[0]), now: now) == .wait)
        coordinator.succeeded(.init(sessions[0]), sessions[0], now: now)
        #expect(coordinator.request(.init(sessions[3]), now: now) == .start)
    }

    @Test(
        "without a known lifetime a refresh is due within the minute before the access token ends, with a refresh token only",
        arguments: [
            (300_000, "r", 239_999, false), (300_000, "r", 240_000, true), (300_000, "r", 400_000, true), (300_000, nil, 299_000, false),
            (nil, "r", 1_000_000, false), (nil, nil, 0, false),
        ] as [(Int64?, String?, Int64, Bool)])
    func due(life: Int64?, refreshToken: String?, elapsed: Int64, due: Bool) {
        let tokens = Session.Tokens(
            accessToken: "a", accessTokenExpiresAt: life.map { Example.start + $0 }, refreshToken: refreshToken)
        #expect(RefreshCoordinator.refreshDue(Example.session(tokens: tokens), now: Example.start + elapsed) == due)
    }

    @Test(
        "issue 19, 14: a refresh is due in the last minute, or in the last quarter of a lifetime of less than four minutes",
        arguments: [
            (300_000, 239_999, false), (300_000, 240_000, true), (240_000, 179_999, false), (240_000, 180_000, true), (60_000, 0, false),
            (60_000, 44_999, false), (60_000, 45_000, true), (4_000, 2_999, false), (4_000, 3_000, true),
            // Never more than once a second, not even with a provider that issues expired tokens.
            (1_000, 999, false), (1_000, 1_000, true), (0, 999, false), (0, 1_000, true), (-5_000, 999, false), (-5_000, 1_000, true),
        ] as [(Int64, Int64, Bool)])
    func due(lifetime: Int64, elapsed: Int64, due: Bool) {
        let tokens = Session.Tokens(
            accessToken: "a", accessTokenExpiresAt: Example.start + max(0, lifetime), accessTokenLifetime: lifetime, refreshToken: "r")
        #expect(RefreshCoordinator.refreshDue(Example.session(tokens: tokens), now: Example.start + elapsed) == due)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max], [Int64.min, -1, 0, 1, Int64.max])
    func `extreme times never trap`(expiry: Int64, lifetime: Int64) {
        let tokens = Session.Tokens(accessTokenExpiresAt: expiry, accessTokenLifetime: lifetime, refreshToken: "r")
        for now in [Int64.min, 0, Int64.max] { _ = RefreshCoordinator.refreshDue(Example.session(tokens: tokens), now: now) }
    }
}
