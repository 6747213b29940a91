import Access
import Accounts
import Config
import HTTPWire
import Sessions
import Testing

@testable import Runtime

@Suite("The cache of opened sessions")
struct SessionCacheTests {
    private static let snapshot = try? Snapshot(Configuration())

    private func opened(_ cookie: String, now: Int64 = 0) throws -> OpenedSession {
        let session = Session.issue(
            for: AccountOutcome(withoutStore: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: cookie)), authTime: nil,
            providerSessionID: nil, tokens: .init(), now: now)
        return OpenedSession(session, cookie: Array(cookie.utf8), snapshot: try #require(Self.snapshot))
    }

    private func find(_ cache: inout SessionCache, _ cookie: String, epoch: Int = 0, now: Int64 = 1) -> OpenedSession? {
        Array(cookie.utf8).withUnsafeBytes { cache.find($0, epoch: epoch, now: now) }
    }

    @Test("finds exactly the bytes it was given")
    func exact() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        cache.insert(entry)
        #expect(find(&cache, "cookie-a") === entry)
        #expect(find(&cache, "cookie-b") == nil)
        #expect(find(&cache, "cookie-a ") == nil)
        #expect(find(&cache, "") == nil)
    }

    @Test("forgets everything once any session was revoked")
    func revocation() throws {
        var cache = SessionCache()
        cache.insert(try opened("cookie-a"))
        #expect(find(&cache, "cookie-a", epoch: 1) == nil)
        #expect(find(&cache, "cookie-a", epoch: 1) == nil)
    }

    @Test("does not outlive the session's limits")
    func limits() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        cache.insert(entry)
        #expect(find(&cache, "cookie-a", now: entry.endsAt - 1) != nil)
        #expect(find(&cache, "cookie-a", now: entry.endsAt) == nil)
    }

    @Test("a session that a connection remembers counts for its own bytes alone, until a revocation or its end")
    func remembered() throws {
        var cache = SessionCache()
        let entry = try opened("cookie-a")
        func isCurrent(_ cookie: String, epoch: Int = 0, now: Int64 = 1) -> Bool {
            Array(cookie.utf8).withUnsafeBytes { entry.isCurrent(for: $0, epoch: epoch, now: now) }
        }
        // A session that no cookie brought is never found by one.
        #expect(!isCurrent("cookie-a"))
        cache.insert(entry)
        #expect(isCurrent("cookie-a"))
        #expect(!isCurrent("cookie-b") && !isCurrent("cookie-") && !isCurrent("cookie-aa") && !isCurrent(""))
        #expect(!isCurrent("cookie-a", epoch: 1))
        #expect(isCurrent("cookie-a", now: entry.endsAt - 1) && !isCurrent("cookie-a", now: entry.endsAt))
    }

    @Test("stays bounded")
    func bounded() throws {
        var cache = SessionCache()
        for number in 0..<8_300 { cache.insert(try opened("cookie-\(number)")) }
        #expect(find(&cache, "cookie-0") == nil)
        #expect(find(&cache, "cookie-8299") != nil)
    }
}
