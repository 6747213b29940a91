import Accounts
import KeptSessions
import Sessions
import Testing

/// What every `SessionStore` must do. A store's own suite calls `check` with a store that is empty.
///
/// Times are Unix milliseconds; `limits` are those of the store.
struct SessionStoreConformance {
    let store: any SessionStore
    let limits: SessionLimits
    let now = Example.start

    func check() async throws {
        try await savedSessionsLoad()
        try await junkIsNoSession()
        try await touchMovesTheIdleLimitOnly()
        try await endsOneSessionAndItsTokens()
        try await successorKeepsItsTokens()
        try await onlyALiveSessionIsReplaced()
        try await endsTheEarlierTokensOfASignIn()
        try await logoutTokensWorkOnce()
        try await frontChannelEndsTheNamedSession()
        try await accountEndingsEndWhatTheyName()
        try await loginsFinishOnce()
        try await oneCallerRefreshes()
        if store.keepsSessions {
            try await listsTheSessionsOfAUser()
            try await endsOneByItsReference()
            try await endsTheOthers()
        } else {
            try await listsNothing()
        }
        try await endsAllOfAUser()
        // Last: it ends everything before.
        try await endsEveryone()
        #expect(store.status.isServing)
    }

    private func load(_ cookie: String) async throws -> Session? { try await store.load(Array(cookie.utf8), now: now) }

    private func accountEndingsEndWhatTheyName() async throws {
        let before = Example.session(subject: "account-1")
        let after = Example.session(now: now + 10, subject: "account-1")
        let other = Example.session(subject: "account-2")
        for session in [before, after, other] { _ = try await store.save(session, now: now) }
        try await store.end(AccountEnding(uid: before.uid, provider: "github.com", issuedUpTo: now + 5), now: now)
        for session in [before, after, other] {
            expectKnown(session, isEnded: false)
            #expect(try await !store.isEnded(session, now: now))
        }
        try await store.end(AccountEnding(uid: before.uid, provider: "oidc.acme", issuedUpTo: now + 5), now: now)
        #expect(try await store.isEnded(before, now: now))
        #expect(try await !store.isEnded(after, now: now))
        try await store.end(AccountEnding(uid: after.uid, issuedUpTo: now + 10), now: now)
        expectKnown(after, isEnded: true)
        #expect(try await store.isEnded(after, now: now))
        #expect(try await !store.isEnded(other, now: now))
    }

    private func savedSessionsLoad() async throws {
        let session = Example.session()
        let cookie = try await store.save(session, now: now)
        #expect(try await load(cookie) == session)
        let lookup = store.lookup(cookie.utf8.span.bytes, now: now)
        switch lookup {
        case .known(let known): #expect(known == session)
        case .ask: break
        case .none: Issue.record("`lookup` denies a session that was saved")
        }
    }

    private func junkIsNoSession() async throws {
        for junk in ["", "x", String(repeating: "A", count: 200), String(repeating: "A", count: 30_000)] {
            #expect(try await load(junk) == nil)
            if case .known = store.lookup(junk.utf8.span.bytes, now: now) { Issue.record("`lookup` knows junk") }
        }
    }

    private func touchMovesTheIdleLimitOnly() async throws {
        let session = Example.session()
        _ = try await store.save(session, now: now)
        let later = try #require(try await load(try await store.touch(session, now: now + 5_000)))
        #expect(later == session.seen(at: now + 5_000) && later.seenAt == now + 5_000)
        let earlier = try #require(try await load(try await store.touch(later, now: now)))
        #expect(earlier.seenAt == now + 5_000, "a late report must not move the stamp back")
    }

    /// What is known at once may only be what the asynchronous functions say.
    private func expectKnown(_ session: Session, isEnded: Bool) {
        for digests in [nil, store.digests(of: session)] {
            let known = store.knownEnd(of: session, digests: digests, now: now)
            #expect(known == .ask || known == (isEnded ? .ended : .alive))
        }
    }

    /// A session that ended while one of its requests was under way does not begin again, whatever ended it.
    private func onlyALiveSessionIsReplaced() async throws {
        let ends: [(String, (Session) async throws -> Void)] = [
            ("by itself", { try await store.end($0, replacedBy: nil, now: now) }),
            ("with its user", { try await store.endAll(ofUser: $0.uid, except: nil, now: now) }),
            ("with its account", { try await store.end(AccountEnding(uid: $0.uid, issuedUpTo: now), now: now) }),
            (
                "by its provider",
                {
                    let logout = ProviderLogout(
                        issuer: $0.identity.issuer, subject: $0.identity.subject, sessionID: nil, tokenID: "replaced-\($0.uid)",
                        expiresAt: now + 60_000)
                    _ = try await store.end(logout, now: now)
                }
            ),
        ]
        for (number, (name, end)) in ends.enumerated() {
            let tokens = Session.Tokens(idToken: "r\(number).b.c")
            let (old, successor, next) = (
                Example.session(tokens: tokens, sid: nil, subject: "replaced-\(number)"),
                Example.session(tokens: tokens, sid: nil, subject: "replaced-\(number)"),
                Example.session(tokens: tokens, sid: nil, subject: "replaced-\(number)")
            )
            for session in [old, successor, next] { _ = try await store.save(session, now: now) }
            #expect(try await store.replace(old, by: successor, now: now), "\(name)")
            #expect(try await store.isEnded(old, now: now), "\(name)")
            #expect(try await !store.isEnded(successor, now: now), "\(name)")
            #expect(try await !store.isEnded(token: "r\(number).b.c", now: now), "\(name): its tokens are the successor's")
            #expect(try await !store.replace(old, by: next, now: now), "\(name): a session goes on once")
            try await end(successor)
            #expect(try await !store.replace(successor, by: next, now: now), "\(name)")
        }
        // The change that ended the account's sessions is the one that the successor goes on after.
        let old = Example.session(sid: nil, subject: "replaced-4")
        let next = Example.session(sid: nil, now: now + 2, subject: "replaced-4")
        for session in [old, next] { _ = try await store.save(session, now: now) }
        try await store.end(AccountEnding(uid: old.uid, issuedUpTo: now + 1), now: now + 1)
        #expect(try await store.replace(old, by: next, now: now + 2))
    }

    private func endsOneSessionAndItsTokens() async throws {
        let ended = Example.session(tokens: .init(idToken: "a.b.c"), sid: "one")
        let other = Example.session(tokens: .init(idToken: "d.e.f"), sid: "two")
        #expect(try await !store.isEnded(ended, now: now))
        let before = store.ends.value
        for _ in 0..<2 { try await store.end(ended, replacedBy: nil, now: now) }
        #expect(store.ends.value > before, "caches learn of an end by the count")
        expectKnown(ended, isEnded: true)
        expectKnown(other, isEnded: false)
        #expect(try await store.isEnded(ended, now: now))
        #expect(try await store.isEnded(ended.seen(at: now + 1), now: now), "renewed forms end with it")
        #expect(try await store.isEnded(token: "a.b.c", now: now))
        #expect(try await !store.isEnded(other, now: now))
        #expect(try await !store.isEnded(token: "d.e.f", now: now))
        #expect(try await store.isEnded(ended, now: limits.absoluteEnd(of: ended) - 1))
    }

    private func successorKeepsItsTokens() async throws {
        let tokens = Session.Tokens(idToken: "same.id.token")
        let earlier = Example.session(tokens: tokens, sid: nil)
        let next = Example.session(tokens: tokens, sid: nil)
        try await store.end(earlier, replacedBy: next, now: now)
        #expect(try await store.isEnded(earlier, now: now))
        #expect(try await !store.isEnded(next, now: now))
        #expect(try await !store.isEnded(token: "same.id.token", now: now))
    }

    /// Issue 39, item 4: a session holds only the last of the ID tokens that it had.
    private func endsTheEarlierTokensOfASignIn() async throws {
        let signedIn = now - 1_000
        func token(
            _ subject: String, sid: String?, authTime: Int64?, issuedAt: Int64, isPossiblyOwn: Bool = true
        ) async throws -> Bool {
            var identity = Example.identity
            identity.subject = subject
            let presented = Session.presented(
                for: AccountOutcome(supposing: identity), authTime: authTime, issuedAt: issuedAt, providerSessionID: sid,
                isPossiblyOwn: isPossiblyOwn)
            return try await store.isEnded(presented, now: now)
        }
        let named = Example.session(sid: "family", subject: "family-1")
        let unnamed = Example.session(sid: nil, subject: "family-2")
        let unrefreshed = Example.session(tokens: .init(idToken: "u.v.w"), sid: "single", subject: "family-3")
        for session in [named, unnamed, unrefreshed] {
            _ = try await store.save(session, now: now)
            #expect(try await !token(session.identity.subject, sid: session.providerSessionID, authTime: signedIn, issuedAt: now - 500))
            try await store.end(session, replacedBy: nil, now: now)
        }
        #expect(try await token("family-1", sid: "family", authTime: nil, issuedAt: now - 500))
        #expect(try await !token("family-1", sid: "family", authTime: nil, issuedAt: now + 1), "of a later sign-in in that session")
        #expect(try await !token("family-1", sid: "another", authTime: signedIn, issuedAt: now - 500), "of another session there")
        #expect(
            try await !token("family-1", sid: "family", authTime: nil, issuedAt: now - 500, isPossiblyOwn: false),
            "with a nonce that an app chose")
        #expect(try await token("family-2", sid: nil, authTime: signedIn, issuedAt: now - 500))
        #expect(try await token("family-2", sid: nil, authTime: nil, issuedAt: now - 500))
        #expect(try await !token("family-2", sid: nil, authTime: signedIn - 60_000, issuedAt: now - 500), "of another sign-in")
        #expect(try await !token("family-3", sid: "single", authTime: signedIn, issuedAt: now - 500), "it never had another token")
        // A session that goes on with the same sign-in keeps them.
        let before = Example.session(sid: "going-on", subject: "family-4")
        let after = Example.session(sid: "going-on", subject: "family-4")
        try await store.end(before, replacedBy: after, now: now)
        #expect(try await !token("family-4", sid: "going-on", authTime: signedIn, issuedAt: now - 500))
        try await store.end(after, replacedBy: nil, now: now)
        #expect(try await token("family-4", sid: "going-on", authTime: signedIn, issuedAt: now - 500))
    }

    private func logoutTokensWorkOnce() async throws {
        let issuer = Example.identity.issuer
        func logout(_ id: String, sid: String?, subject: String?) -> ProviderLogout {
            ProviderLogout(issuer: issuer, subject: subject, sessionID: sid, tokenID: id, expiresAt: now + 60_000)
        }
        let named = Example.session(sid: "provider-1")
        let other = Example.session(sid: "provider-2")
        #expect(try await store.end(logout("jti-1", sid: "provider-1", subject: nil), now: now))
        #expect(try await !store.end(logout("jti-1", sid: "provider-2", subject: nil), now: now), "a `jti` works once")
        #expect(try await store.isEnded(named, now: now))
        #expect(try await !store.isEnded(other, now: now))
        let carol = Example.session(
            identity: ProviderIdentity(provider: "oidc.acme", issuer: issuer, subject: "carol"), tokens: .init(), sid: "provider-3")
        #expect(try await store.end(logout("jti-2", sid: nil, subject: "carol"), now: now))
        #expect(try await store.isEnded(carol, now: now))
        #expect(try await !store.isEnded(other, now: now))
    }

    private func frontChannelEndsTheNamedSession() async throws {
        let session = Example.session(sid: "provider-7")
        let logout = FrontChannelLogout(issuer: session.identity.issuer, sessionID: "provider-7")
        #expect(try await !store.isEnded(session, now: now))
        let end = try await store.end(logout, from: "192.0.2.1", now: now)
        #expect(end.outcome == .matched && end.isKept)
        #expect(try await store.isEnded(session, now: now))
    }

    private func loginsFinishOnce() async throws {
        #expect(try await store.finishLogin("login-1", now: now))
        #expect(try await !store.finishLogin("login-1", now: now))
        #expect(try await store.finishLogin("login-2", now: now))
        #expect(try await store.isFinishedLogin("login-1", now: now))
        #expect(try await !store.isFinishedLogin("login-3", now: now))
    }

    private func oneCallerRefreshes() async throws {
        let session = Example.session()
        let key = RefreshCoordinator.Key(session)
        #expect(try await store.lock(key, now: now) == .start)
        #expect(try await store.lock(key, now: now) == .wait)
        #expect(try await store.lock(.init(Example.session()), now: now) == .start, "another session has a lock of its own")
        try await store.unlock(key, .refreshed(session), now: now)
        try await store.unlock(key, .failed(.invalidGrant), now: now)
        #expect(try await store.lock(key, now: now) == .useResult(session), "a success is never replaced by a failure")
    }
}
