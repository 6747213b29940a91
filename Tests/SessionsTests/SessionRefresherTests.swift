import Accounts
import KeptSessions
import Sessions
import TestTools
import Testing

@Suite struct SessionRefresherTests {
    private func due(_ subject: String = "alice", lifetime: Int64 = 60_000) -> Session {
        Example.session(
            tokens: .init(
                accessToken: "at-1", accessTokenExpiresAt: Example.start + lifetime, accessTokenLifetime: lifetime, refreshToken: "rt-1"))
    }

    private let tokens = Session.Tokens(
        accessToken: "at-2", accessTokenExpiresAt: Example.start + 600_000, accessTokenLifetime: 600_000, refreshToken: "rt-2")

    private func waitForCall(_ fixture: ServiceFixture) async throws { try await eventually { fixture.provider.calls > 0 } }

    @Test("a session that is due gets the provider's tokens, and the next generation", arguments: ServiceFixture.StoreKind.allCases)
    func refreshed(_ kind: ServiceFixture.StoreKind) async throws {
        let fixture = ServiceFixture(kind)
        fixture.clock.advance(by: 61_000)
        fixture.provider.answer(.refreshed(tokens, Example.identity))
        let session = due()
        guard case .refreshed(let next) = await fixture.service.refresh(session) else {
            Issue.record("not refreshed")
            return
        }
        #expect(next.generation == 1 && next.tokens.accessToken == "at-2" && next.tokens.refreshToken == "rt-2")
        #expect(next.seenAt == Example.start + 61_000)
        #expect(fixture.events.all == ["refreshed"])
        // A request that still brings the old cookie gets the remembered result.
        guard case .refreshed(let again) = await fixture.service.refresh(session) else {
            Issue.record("not remembered")
            return
        }
        #expect(again.tokens.accessToken == "at-2" && fixture.provider.calls == 1)
    }

    @Test(
        "issue 19, 25: a refresh that takes longer than the store waits is not made a second time",
        arguments: ServiceFixture.StoreKind.allCases)
    func longRefresh(_ kind: ServiceFixture.StoreKind) async throws {
        let fixture = ServiceFixture(kind)
        fixture.clock.advance(by: 61_000)
        let session = due()
        let service = fixture.service
        let first = Task { await service.refresh(session) }
        try await waitForCall(fixture)
        var others: [Task<RefreshedSession, Never>] = []
        for _ in 0..<4 {
            fixture.clock.advance(by: 31_000)
            let before = fixture.clock.readingCount
            others.append(Task { await service.refresh(session) })
            // Whether it is due, and whether its own access token has expired.
            try await eventually { fixture.clock.readingCount >= before + 2 }
        }
        fixture.provider.answer(.refreshed(tokens, Example.identity))
        for request in [first] + others {
            guard case .refreshed = await request.value else {
                Issue.record("a request was not given the result")
                return
            }
        }
        #expect(fixture.provider.calls == 1)
    }

    @Test func `a request whose access token still lives does not wait for the refresh of another`() async throws {
        let fixture = ServiceFixture()
        fixture.clock.advance(by: 50_000)
        let session = due()
        let service = fixture.service
        let first = Task { await service.refresh(session) }
        try await waitForCall(fixture)
        guard case .unchanged(let same) = await service.refresh(session) else {
            Issue.record("it waited")
            return
        }
        #expect(same == session)
        fixture.provider.answer(.refreshed(tokens, Example.identity))
        _ = await first.value
    }

    @Test func `a thousand requests cause one refresh`() async throws {
        let fixture = ServiceFixture()
        fixture.clock.advance(by: 61_000)
        let session = due()
        let service = fixture.service
        let requests = (0..<1_000).map { _ in Task { await service.refresh(session) } }
        try await waitForCall(fixture)
        fixture.provider.answer(.refreshed(tokens, Example.identity))
        for request in requests {
            guard case .refreshed = await request.value else {
                Issue.record("a request was not given the result")
                return
            }
        }
        #expect(fixture.provider.calls == 1)
    }

    @Test("a provider that refuses ends the session and every copy of its cookie", arguments: ServiceFixture.StoreKind.allCases)
    func refused(_ kind: ServiceFixture.StoreKind) async throws {
        for answer in [RefreshOutcome.invalidGrant(reason: "r"), .failedVerification(reason: "r")] {
            let fixture = ServiceFixture(kind)
            fixture.clock.advance(by: 61_000)
            fixture.provider.answer(answer)
            let session = due()
            guard case .ended = await fixture.service.refresh(session) else {
                Issue.record("it goes on")
                return
            }
            #expect(await fixture.service.check(session, now: Example.start + 61_000) == .invalid(.revoked))
            guard case .ended = await fixture.service.refresh(session) else {
                Issue.record("it goes on")
                return
            }
            #expect(fixture.provider.calls == 1, "a refused refresh token is not sent again")
        }
    }

    @Test func `another user's identity, or a provider that is gone, ends the session`() async {
        let fixture = ServiceFixture()
        fixture.clock.advance(by: 61_000)
        fixture.provider.answer(
            .refreshed(tokens, ProviderIdentity(provider: "oidc.acme", issuer: Example.identity.issuer, subject: "mallory")))
        guard case .ended = await fixture.service.refresh(due()) else {
            Issue.record("it goes on")
            return
        }
        var identity = Example.identity
        identity.provider = "oidc.gone"
        let gone = Example.session(identity: identity, tokens: due().tokens)
        guard case .ended = await fixture.service.refresh(gone) else {
            Issue.record("it goes on")
            return
        }
        #expect(fixture.events.all == ["ended(Sessions.RefreshEnd.otherUser)", "ended(Sessions.RefreshEnd.providerRemoved)"])
    }

    @Test func `an outage keeps the session, and the provider rests`() async {
        let fixture = ServiceFixture()
        fixture.clock.advance(by: 61_000)
        fixture.provider.answer(.outage(reason: "timeout"))
        let session = due()
        for _ in 0..<3 {
            guard case .unchanged(let same) = await fixture.service.refresh(session) else {
                Issue.record("it ended")
                return
            }
            #expect(same == session)
        }
        #expect(fixture.provider.calls == 1)
        fixture.clock.advance(by: 1_000)
        _ = await fixture.service.refresh(session)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `a store that does not answer leaves the session as it is and asks no provider`() async throws {
        let fixture = ServiceFixture(.waiting)
        fixture.clock.advance(by: 61_000)
        let waiting = try #require(fixture.service.store as? WaitingStore)
        waiting.isDown = true
        // Nobody can say whether it has ended.
        guard case .unavailable = await fixture.service.refresh(due()) else {
            Issue.record("it goes on unchecked, or has ended")
            return
        }
        #expect(fixture.provider.calls == 0)
    }
}
