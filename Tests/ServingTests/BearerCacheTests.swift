import Access
import Accounts
import Config
import Decisions
import Endpoints
import Sessions
import SignIn
import Testing

@testable import Serving

@Suite struct BearerCacheTests {
    private static let site = try? SiteContext(Configuration()).decisions

    private func entry(_ subject: String, expiresAt: Int64 = 1_000_000) throws -> VerifiedToken {
        let site = try #require(Self.site)
        let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: subject)
        let session = Session.presented(for: AccountOutcome(supposing: identity), authTime: nil, issuedAt: 0, providerSessionID: nil)
        let accepted = AcceptedToken(
            session: session, provider: "oidc.a", nonce: nil, isIDToken: false, until: expiresAt, expiresAt: expiresAt,
            isIntrospected: false)
        return VerifiedToken(accepted, Caller(bearer: accepted, site.identity), hash: Array(subject.utf8))
    }

    @Test func `issue 21, 2: the end of a session drops its own token, and no other`() throws {
        var cache = BearerCache()
        let (kept, ended) = (try entry("kept"), try entry("ended"))
        for token in [kept, ended] { cache.insert(token, epoch: 1) }
        var comparisons = 0
        func find(_ name: String) -> VerifiedToken? {
            cache.find(Array(name.utf8), epoch: 2, now: 1) {
                comparisons += 1
                return $0 === ended
            }
        }
        #expect(find("ended") == nil && find("kept") === kept && find("kept") === kept)
        #expect(comparisons == 2, "an entry is compared once")
        #expect(cache.find(Array("ended".utf8), epoch: 1, now: 1) { _ in false } == nil, "it is gone, not only hidden")
    }

    @Test func `a full cache evicts one token at a time, and no token outlives its end`() throws {
        var cache = BearerCache()
        for number in 0...4_096 { cache.insert(try entry("\(number)"), epoch: 0) }
        let found = (0...4_096).filter { number in cache.find(Array("\(number)".utf8), epoch: 0, now: 1) { _ in false } != nil }
        #expect(found.count == 4_096)
        #expect(cache.find(Array("5".utf8), epoch: 0, now: 1_000_000) { _ in false } == nil)
    }
}
