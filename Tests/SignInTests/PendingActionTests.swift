import Accounts
import Sessions
import Testing
import TokenCrypto

@testable import SignIn

@Suite struct PendingActionTests {
    private static let store = emptyStore()

    private func actions(key: UInt8 = 7) -> PendingActions {
        PendingActions(
            ring: SealingKeyRing(keys: [[UInt8](repeating: key, count: 32)], purpose: "pending"), sessionCookieName: "session",
            isSecure: true, store: Self.store)
    }

    private let identity = VerifiedIdentity(
        resealed: ProviderIdentity(
            provider: "github.com", issuer: "https://github.com", subject: "1", email: "a@example.com", emailVerified: true, name: "A"))

    @Test func anActionComesBackWithItsIdentity() throws {
        let actions = self.actions()
        let kept = cookie(of: actions.setCookie(.link(self.identity, uid: "abc"), returnPath: "/a", now: 1_000_000))
        let found = try #require(actions.find(in: [kept], now: 1_100_000))
        #expect(found.kind == .link(self.identity, uid: "abc"))
        #expect(found.returnPath == "/a")
        #expect(found.uid == "abc")
        let merge = cookie(of: actions.setCookie(.merge(previous: "one", current: "two"), returnPath: "/", now: 1_000_000))
        #expect(actions.find(in: [merge], now: 1_000_000)?.kind == .merge(previous: "one", current: "two"))
    }

    @Test func anActionEndsAfterTenMinutes() {
        let actions = self.actions()
        let kept = cookie(of: actions.setCookie(.link(self.identity, uid: "abc"), returnPath: "/", now: 1_000_000))
        #expect(actions.find(in: [kept], now: 1_599_999) != nil)
        #expect(actions.find(in: [kept], now: 1_600_000) == nil)
    }

    @Test("a second cookie of the name, another key, another name and a changed value hold no action")
    func onlyOneCookieOfOursCounts() {
        let actions = self.actions()
        let kept = cookie(of: actions.setCookie(.link(self.identity, uid: "abc"), returnPath: "/", now: 1_000_000))
        #expect(actions.find(in: [kept, kept], now: 1_000_000) == nil)
        #expect(self.actions(key: 8).find(in: [kept], now: 1_000_000) == nil)
        #expect(actions.find(in: [("session", kept.value)], now: 1_000_000) == nil)
        #expect(actions.find(in: [(kept.name, String(kept.value.dropLast()) + "A")], now: 1_000_000) == nil)
        #expect(actions.find(in: [(kept.name, "")], now: 1_000_000) == nil)
    }

    @Test func anActionIsUsedOnce() async throws {
        let actions = self.actions()
        let kept = cookie(of: actions.setCookie(.merge(previous: "one", current: "two"), returnPath: "/", now: 1_000_000))
        let action = try #require(actions.find(in: [kept], now: 1_000_000))
        #expect(try await actions.use(action, now: 1_000_000))
        #expect(try await !actions.use(action, now: 1_000_000))
    }
}
