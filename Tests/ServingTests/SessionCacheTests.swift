import Access
import Accounts
import Config
import Decisions
import Endpoints
import HTTPWire
import Sessions
import Testing

@testable import Serving

@Suite("The cache of opened sessions")
struct SessionCacheTests {
    private static let site = try? SiteContext(Configuration()).decisions

    private func opened(_ cookie: String, now: Int64 = 0) throws -> OpenedSession {
        let session = Session.issue(
            for: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: cookie)), authTime: nil,
            providerSessionID: nil, tokens: .init(), now: now)
        return OpenedSession(try caller(session, now: now), cookie: Array(cookie.utf8))
    }

    private func caller(_ session: Session, now: Int64) throws -> Caller {
        let site = try #require(Self.site)
        return Caller(session, site.identity, site.limits.session, now: now)
    }

    private func find(
        _ cache: inout SessionCache, _ cookie: String, epoch: Int = 0, now: Int64 = 1,
        mayHaveEnded: (OpenedSession) -> Bool = { _ in false }
    ) -> OpenedSession? {
        cache.find(cookie.utf8.span.bytes, epoch: epoch, now: now, mayHaveEnded: mayHaveEnded)
    }

    private func sealed(_ memory: SharedSessions, _ limits: SessionLimits) -> SealedCookieStore {
        SealedCookieStore(
            seal: SessionSeal(keys: [[UInt8](repeating: 1, count: 32)], cookieName: "session", publicURL: ""), limits: limits,
            memory: memory)
    }

    @Test("finds exactly the bytes it was given")
    func exact() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        cache.insert(entry, epoch: 0)
        #expect(find(&cache, "cookie-a") === entry)
        #expect(find(&cache, "cookie-b") == nil)
        #expect(find(&cache, "cookie-a ") == nil)
        #expect(find(&cache, "") == nil)
    }

    @Test("keeps a session when another one ends, and compares it once")
    func otherRevocation() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        cache.insert(entry, epoch: 0)
        var comparisons = 0
        for _ in 0..<3 {
            let found = find(&cache, "cookie-a", epoch: 1) { _ in
                comparisons += 1
                return false
            }
            #expect(found === entry)
        }
        #expect(comparisons == 1)
    }

    @Test("drops the session that ended, and that one only")
    func ownRevocation() throws {
        let shared = SharedSessions()
        let limits = SessionLimits(idle: 1_000, absolute: 1_000_000)
        var cache = SessionCache()
        let kept = try opened("cookie-a")
        let ended = try opened("cookie-b")
        for entry in [kept, ended] { cache.insert(entry, epoch: shared.ends.value) }
        #expect(shared.revoke(ended.caller.session, limits: limits, now: 1))
        func mayHaveEnded(_ entry: OpenedSession) -> Bool { entry.mayHaveEnded(in: sealed(shared, limits), now: 1) }
        #expect(find(&cache, "cookie-b", epoch: shared.ends.value, mayHaveEnded: mayHaveEnded) == nil)
        #expect(find(&cache, "cookie-a", epoch: shared.ends.value, mayHaveEnded: mayHaveEnded) === kept)
        // It is gone, not only hidden.
        #expect(find(&cache, "cookie-b", epoch: shared.ends.value) == nil)
    }

    @Test("a logout of the provider's session ends an entry that was compared before")
    func providerSession() throws {
        let shared = SharedSessions()
        let limits = SessionLimits(idle: 1_000, absolute: 1_000_000)
        let session = Session.issue(
            for: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "alice")), authTime: nil,
            providerSessionID: "sid", tokens: .init(), now: 0)
        let entry = OpenedSession(try caller(session, now: 0), cookie: Array("cookie".utf8))
        #expect(!entry.mayHaveEnded(in: sealed(shared, limits), now: 1))
        let outcome = shared.endFromFrontChannel(issuer: "https://a", providerSessionID: "sid", from: nil, limits: limits, now: 2)
        #expect(outcome == .matched)
        #expect(entry.mayHaveEnded(in: sealed(shared, limits), now: 3))
    }

    @Test("does not outlive the session's limits")
    func limits() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        cache.insert(entry, epoch: 0)
        #expect(find(&cache, "cookie-a", now: entry.caller.times.endsAt - 1) != nil)
        #expect(find(&cache, "cookie-a", now: entry.caller.times.endsAt) == nil)
    }

    @Test("a session that a connection remembers counts for its own bytes alone, until a revocation or its end")
    func remembered() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        func isCurrent(_ cookie: String, epoch: Int = 0, now: Int64 = 1) -> Bool {
            entry.isCurrent(for: cookie.utf8.span.bytes, epoch: epoch, now: now)
        }
        // A session that no cookie brought is never found by one.
        #expect(!isCurrent("cookie-a"))
        cache.insert(entry, epoch: 0)
        #expect(isCurrent("cookie-a"))
        #expect(!isCurrent("cookie-b") && !isCurrent("cookie-") && !isCurrent("cookie-aa") && !isCurrent(""))
        #expect(!isCurrent("cookie-a", epoch: 1))
        #expect(isCurrent("cookie-a", now: entry.caller.times.endsAt - 1) && !isCurrent("cookie-a", now: entry.caller.times.endsAt))
    }

    @Test("evicts one entry at a time, and first one that no request used")
    func eviction() throws {
        var cache = SessionCache(capacity: 3)
        for name in ["a", "b", "c"] { cache.insert(try opened(name), epoch: 0) }
        #expect(find(&cache, "a") != nil)
        cache.insert(try opened("d"), epoch: 0)
        #expect(find(&cache, "b") == nil, "`a` has a second chance, so the hand takes `b`")
        for name in ["a", "c", "d"] { #expect(find(&cache, name) != nil) }
        // All of them were used: the hand takes each second chance and ends where it began.
        cache.insert(try opened("e"), epoch: 0)
        #expect(["a", "c", "d", "e"].count { find(&cache, $0) != nil } == 3)
        #expect(find(&cache, "e") != nil)
    }

    @Test("gives the slot of an ended session to the next one")
    func freeSlot() throws {
        var cache = SessionCache(capacity: 2)
        for name in ["a", "b"] { cache.insert(try opened(name), epoch: 0) }
        #expect(find(&cache, "a", epoch: 1) { _ in true } == nil)
        cache.insert(try opened("c"), epoch: 1)
        for name in ["b", "c"] { #expect(find(&cache, name, epoch: 1) != nil) }
    }

    @Test("a session inserted again replaces its entry")
    func replaced() throws {
        var cache = SessionCache(capacity: 2)
        for _ in 0..<5 { cache.insert(try opened("a"), epoch: 0) }
        cache.insert(try opened("b"), epoch: 0)
        for name in ["a", "b"] { #expect(find(&cache, name) != nil) }
    }

    @Test("stays bounded")
    func bounded() throws {
        var cache = SessionCache(capacity: 8)
        for number in 0..<100 { cache.insert(try opened("cookie-\(number)"), epoch: 0) }
        let kept = (0..<100).filter { find(&cache, "cookie-\($0)") != nil }
        #expect(kept == Array(92..<100))
    }
}
