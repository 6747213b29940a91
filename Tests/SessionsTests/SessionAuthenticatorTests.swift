import Accounts
import Sessions
import Testing
import TokenCrypto

@Suite struct SessionAuthenticatorTests {
    private let authenticator = SessionAuthenticator(
        cookies: SessionCookies(publicURL: true),
        seal: SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL),
        limits: SessionLimits(idle: 3_600_000, absolute: 86_400_000),
        providerRefusal: { $0.provider == "oidc.acme" ? nil : .unknownProvider })

    private func authenticate(_ pairs: [(String, String)], revoked: RevokedSessions = .init(), now: Int64 = Example.start) -> Authentication
    {
        withPairs(pairs) { authenticator.authenticate(pairs: $0, revoked: revoked, now: now) }
    }

    @Test func `without a session cookie a request is anonymous`() {
        #expect(authenticate([]) == .anonymous)
        #expect(authenticate([("session", "x"), ("__Host-session-login-1", "y")]) == .anonymous)
    }

    @Test("a session comes through its cookies, in one piece or several", arguments: [100, 9000])
    func signedIn(size: Int) throws {
        let session = Example.session(padding: size)
        let lines = try authenticator.cookies.setCookieLines(for: session, seal: authenticator.seal, existingNames: [])
        #expect(authenticate(store(lines, in: [("app", "1")])) == .session(session))
    }

    @Test func `limits, revocation, duplicates and forgeries have reasons of their own in the log`() throws {
        let session = Example.session()
        let sealed = authenticator.seal.seal(session)
        var revoked = RevokedSessions()
        revoked.revoke(session, limits: authenticator.limits, now: Example.start)
        let cookie = [("__Host-session", sealed)]
        #expect(authenticate(cookie) == .session(session))
        #expect(authenticate(cookie, now: Example.start + 3_600_000) == .invalid(.idleLimit))
        #expect(authenticate(cookie, now: Example.start + 86_400_000) == .invalid(.absoluteLimit))
        #expect(authenticate(cookie, now: Example.start - 61_000) == .invalid(.fromTheFuture))
        #expect(authenticate(cookie, revoked: revoked) == .invalid(.revoked))
        #expect(authenticate(cookie + cookie) == .invalid(.duplicateCookie))
        #expect(authenticate([("__Host-session", sealed + "A")]) == .invalid(.seal))
        #expect(authenticate([("__Host-session.1", sealed)]) == .invalid(.cookiePieces))
        #expect(authenticate([("__Host-session", String(repeating: "A", count: 5000))]) == .invalid(.cookieTooLarge))
    }

    @Test func `advisory 61: a copied cookie stops working once its session is revoked, others go on`() {
        let (mine, other) = (Example.session(), Example.session())
        var revoked = RevokedSessions()
        revoked.revoke(mine, limits: authenticator.limits, now: Example.start)
        let renewed = authenticator.limits.renewed(mine, now: Example.start + 70_000)
        #expect(authenticate([("__Host-session", authenticator.seal.seal(renewed))], revoked: revoked) == .invalid(.revoked))
        #expect(authenticate([("__Host-session", authenticator.seal.seal(other))], revoked: revoked) == .session(other))
    }

    @Test func `a session whose provider does not vouch for it any more is refused`() {
        var identity = Example.identity
        identity.provider = "oidc.gone"
        let cookie = [("__Host-session", authenticator.seal.seal(Example.session(identity: identity)))]
        #expect(authenticate(cookie) == .invalid(.unknownProvider))
    }

    @Test func `what was a session once is told from what never was one`() {
        let ends = Authentication.Refusal.allCases.filter(\.isEnd)
        #expect(ends == [.idleLimit, .absoluteLimit, .revoked, .refreshRefused, .unknownProvider, .issuerChanged])
    }

    @Test func `a thousand junk cookies give no session`() {
        for length in 0..<1000 {
            let junk = Base64URL.encode([1] + SecureRandom.bytes(length))
            #expect(authenticate([("__Host-session", junk)]) == .invalid(.seal))
        }
    }
}
