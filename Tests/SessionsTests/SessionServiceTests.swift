import Accounts
import Primitives
import KeptSessions
import Sessions
import TestTools
import Testing
import TokenCrypto

@Suite struct SessionServiceTests {
    private let fixture = ServiceFixture()
    private var service: SessionService { fixture.service }

    private func authenticate(_ pairs: [(String, String)], now: Int64 = Example.start) async -> Authentication {
        await fixture.authenticate(pairs, now: now)
    }

    private func lines(of session: Session) throws -> [String] { try service.setCookieLines(for: session, existingNames: []) }

    @Test func `without a session cookie a request is anonymous`() async {
        #expect(await authenticate([]) == .anonymous)
        #expect(await authenticate([("session", "x"), ("__Host-session-login-1", "y")]) == .anonymous)
    }

    @Test("a session comes through its cookies, in one piece or several", arguments: [100, 9000])
    func signedIn(size: Int) async throws {
        let session = Example.session(padding: size)
        #expect(await authenticate(store(try lines(of: session), in: [("app", "1")])) == .session(session))
    }

    @Test func `limits, revocation, duplicates and forgeries have reasons of their own in the log`() async throws {
        let session = Example.session()
        let sealed = ServiceFixture.seal.seal(session)
        let cookie = [("__Host-session", sealed)]
        #expect(await authenticate(cookie) == .session(session))
        #expect(await authenticate(cookie, now: Example.start + 3_600_000) == .invalid(.idleLimit))
        #expect(await authenticate(cookie, now: Example.start + 86_400_000) == .invalid(.absoluteLimit))
        #expect(await authenticate(cookie, now: Example.start - 301_000) == .invalid(.fromTheFuture))
        #expect(await authenticate(cookie + cookie) == .invalid(.duplicateCookie))
        #expect(await authenticate([("__Host-session", sealed + "A")]) == .invalid(.seal))
        #expect(await authenticate([("__Host-session.1", sealed)]) == .invalid(.cookiePieces))
        #expect(await authenticate([("__Host-session", String(repeating: "A", count: 5000))]) == .invalid(.cookieTooLarge))
        _ = try await service.revoke(session, now: Example.start)
        #expect(await authenticate(cookie) == .invalid(.revoked))
    }

    @Test func `advisory 61: a copied cookie stops working once its session is revoked, others go on`() async throws {
        let (mine, other) = (Example.session(), Example.session(sid: "sid-2"))
        #expect(try await service.revoke(mine, now: Example.start))
        #expect(try await !service.revoke(mine, now: Example.start), "it had ended before")
        let renewed = service.renew(mine, now: Example.start + 70_000)
        #expect(await authenticate(store(try lines(of: renewed), in: [])) == .invalid(.revoked))
        #expect(await authenticate(store(try lines(of: other), in: [])) == .session(other))
    }

    @Test func `a session whose provider does not vouch for it any more is refused`() async throws {
        var identity = Example.identity
        identity.provider = "oidc.gone"
        #expect(
            await authenticate(store(try lines(of: Example.session(identity: identity)), in: [])) == .invalid(.unknownProvider))
    }

    @Test func `what was a session once is told from what never was one`() {
        let ends = Authentication.Refusal.allCases.filter(\.isEnd)
        #expect(ends == [.idleLimit, .absoluteLimit, .revoked, .refreshRefused, .unknownProvider, .issuerChanged])
    }

    @Test(.seeded) func `a thousand junk cookies give no session`() async {
        var generator = SeededGenerator()
        for length in 0..<1000 {
            let junk = Base64URL.encode([1] + generator.bytes(length))
            #expect(await authenticate([("__Host-session", junk)]) == .invalid(.seal))
        }
    }

    // MARK: Over both kinds of stores

    private func signIn(_ identity: ProviderIdentity = Example.identity, _ tokens: Session.Tokens = Example.tokens) -> VerifiedSignIn {
        VerifiedSignIn(
            account: AccountOutcome(supposing: identity), authTime: Example.start - 1000, providerSessionID: "sid-1", tokens: tokens)
    }

    @Test(arguments: ServiceFixture.StoreKind.allCases)
    func `a sign-in that enrols goes on after its own end of the account's sessions, and after no other end`(
        kind: ServiceFixture.StoreKind
    ) async throws {
        let now = Example.start + 400_000
        let signIn = signIn()
        let account = Account(uid: signIn.account.uid, createdAt: 0, endings: SessionEndings(all: now))
        func complete(_ fixture: ServiceFixture) async throws(SessionIssueError) -> Session? {
            let waiting = fixture.service.pending(for: signIn, now: Example.start)[0]
            return try await fixture.service.complete(
                waiting, secondFactor: "totp", methods: [], startedAt: Example.start, enrolledIn: account, replacing: nil, to: .example,
                now: now)?.session
        }
        let fixture = ServiceFixture(kind)
        try await fixture.service.end(AccountEnding(uid: account.uid, issuedUpTo: now), now: now)
        let session = try #require(try await complete(fixture))
        #expect(session.issuedAt == now + 1)
        #expect(try await !fixture.service.store.isEnded(session, now: now))
        let ended = ServiceFixture(kind)
        try await ended.service.endAll(ofUser: account.uid, now: Example.start + 1)
        await #expect(throws: SessionIssueError.ended) { try await complete(ended) }
        let waiting = ended.service.pending(for: signIn, now: Example.start)[0]
        #expect(await !ended.service.goesOn(waiting, startedAt: Example.start, now: now))
        #expect(await fixture.service.goesOn(waiting, startedAt: now + 1, now: now + 1))
    }

    @Test(
        "a session is issued, opened, replaced, revoked and listed the same way in every store",
        arguments: ServiceFixture.StoreKind.allCases)
    func life(_ kind: ServiceFixture.StoreKind) async throws {
        let fixture = ServiceFixture(kind)
        let service = fixture.service
        let first = try await service.issue(for: signIn(), replacing: nil, to: .example, now: Example.start)
        let jar = store(first.setCookies, in: [])
        #expect(await fixture.authenticate(jar) == .session(first.session))
        #expect(first.session.authTime == Example.start - 1000 && first.leftOutGroups == 0 && first.previousGoesOn == nil)

        let other = ProviderIdentity(provider: "oidc.acme", issuer: Example.identity.issuer, subject: "bob")
        let next = VerifiedSignIn(
            account: AccountOutcome(supposing: other), authTime: nil, providerSessionID: "sid-2", tokens: .init(refreshToken: "rt-2"))
        let second = try await service.issue(for: next, replacing: first.session, to: .example, now: Example.start)
        #expect(await fixture.authenticate(jar) == .invalid(.revoked), "the browser's earlier session ends")
        #expect(second.session.authTime == Example.start && second.session.id != first.session.id)
        let opened = try await service.loadUnchecked(Array(store(second.setCookies, in: [])[0].1.utf8), now: Example.start)
        #expect(opened == second.session)

        let uid = second.session.uid
        switch kind {
        case .sealed: await #expect(throws: SessionStoreError.unsupported) { try await service.records(ofUser: uid, now: Example.start) }
        case .waiting:
            let listed = try await service.records(ofUser: uid, now: Example.start)
            #expect(listed == [SessionRecord(second.session, client: Example.client)])
        }
        #expect(try await service.revoke(second.session, now: Example.start))
        #expect(await fixture.authenticate(store(second.setCookies, in: [])) == .invalid(.revoked))
        if kind == .waiting { #expect(try await service.records(ofUser: uid, now: Example.start) == []) }
    }

    @Test("a token ends with the session that held it, or with the provider's session", arguments: ServiceFixture.StoreKind.allCases)
    func tokens(_ kind: ServiceFixture.StoreKind) async throws {
        let service = ServiceFixture(kind).service
        let presented = Example.session(tokens: .init(), sid: "sid-9")
        #expect(try await service.endOfToken("a.b.c", presenting: presented, now: Example.start) == .none)
        _ = try await service.revoke(Example.session(tokens: .init(idToken: "a.b.c"), sid: "sid-8"), now: Example.start)
        #expect(try await service.endOfToken("a.b.c", presenting: presented, now: Example.start) == .session)
        let logout = ProviderLogout(
            issuer: presented.identity.issuer, subject: nil, sessionID: "sid-9", tokenID: "jti", expiresAt: Example.start + 60_000)
        #expect(try await service.end(logout, now: Example.start))
        #expect(try await !service.end(logout, now: Example.start), "a logout token works once")
        #expect(try await service.endOfToken("d.e.f", presenting: presented, now: Example.start) == .shared)
    }

    @Test func `a store that does not answer gives no session, issues none and confirms no sign-out`() async throws {
        let fixture = ServiceFixture(.waiting)
        let service = fixture.service
        let issued = try await service.issue(for: signIn(), replacing: nil, to: .example, now: Example.start)
        let waiting = try #require(service.store as? WaitingStore)
        waiting.isDown = true
        let down = SessionStoreError.unavailable("connection refused")
        #expect(await fixture.authenticate(store(issued.setCookies, in: [])) == .invalid(.storeUnavailable))
        #expect(await service.check(issued.session, now: Example.start) == .invalid(.storeUnavailable))
        await #expect(throws: SessionIssueError.store(down)) {
            try await service.issue(for: signIn(), replacing: nil, to: .example, now: Example.start)
        }
        await #expect(throws: down) { try await service.revoke(issued.session, now: Example.start) }
        await #expect(throws: down) { try await service.endOfToken("a.b.c", presenting: issued.session, now: Example.start) }
        waiting.isDown = false
        #expect(await fixture.authenticate(store(issued.setCookies, in: [])) == .session(issued.session))
    }

    @Test func `a store that keeps sessions is told of a renewal, and the browser gets no cookie`() async throws {
        let service = ServiceFixture(.waiting).service
        let issued = try await service.issue(for: signIn(), replacing: nil, to: .example, now: Example.start)
        let renewed = service.renew(issued.session, now: Example.start + 70_000)
        #expect(try service.setCookieLines(for: renewed, existingNames: []) == [])
        let waiting = try #require(service.store as? WaitingStore)
        try await eventually { !waiting.touches.isEmpty }
        #expect(waiting.touches == [Example.start + 70_000])
    }

    @Test func `a session that does not fit loses its ID token, what no rule reads, its access token, in this order`() async throws {
        func issue(_ identity: ProviderIdentity, _ tokens: Session.Tokens) async throws -> IssuedSession {
            try await service.issue(for: signIn(identity, tokens), replacing: nil, to: .example, now: Example.start)
        }
        // No base64url, which the seal would write shorter.
        func text(_ count: Int) -> String { String(repeating: "~", count: count) }
        var groups = Example.identity
        groups.groups = ["staff"] + (0..<300).map { "group-\($0)-\(text(20))" }
        let whole = try await issue(Example.identity, Example.tokens)
        #expect(whole.session.tokens.idToken != nil)
        let withoutIDToken = try await issue(Example.identity, .init(accessToken: "at", idToken: text(15_000)))
        #expect(withoutIDToken.session.tokens.idToken == nil && withoutIDToken.session.tokens.accessToken == "at")
        let reduced = try await issue(groups, .init(accessToken: text(9_000), refreshToken: "rt"))
        #expect(reduced.session.identity.groups == ["staff"] && reduced.leftOutGroups == 300 && reduced.groups == 301)
        #expect(reduced.session.tokens.accessToken != nil)
        let withoutAccessToken = try await issue(Example.identity, .init(accessToken: text(20_000), refreshToken: "rt"))
        #expect(withoutAccessToken.session.tokens.accessToken == nil && withoutAccessToken.session.tokens.refreshToken == "rt")
        await #expect(throws: SessionIssueError.tooLarge) { try await issue(Example.identity, .init(refreshToken: text(20_000))) }
    }

    @Test func `a full list of revocations does not prevent a sign-in, and is reported`() async throws {
        let memory = SharedSessions(capacity: 16)
        let fixture = ServiceFixture(memory: memory)
        let previous = try await fixture.service.issue(for: signIn(), replacing: nil, to: .example, now: Example.start)
        // One entry each.
        func filler() -> Session { Example.session(tokens: .init(), sid: nil, subject: "\(memory.ends.value)") }
        while memory.revoke(filler(), limits: ServiceFixture.limits, now: Example.start) {}
        let next = try await fixture.service.issue(
            for: signIn(), replacing: previous.session, to: .example, now: Example.start)
        #expect(next.previousGoesOn == .full)
        let list = try #require(fixture.service.store.revocationLists(now: Example.start).first)
        #expect(list == RevocationList(.sessions, count: 16, limit: 16) && list.isFull)
    }
}
