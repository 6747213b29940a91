import Accounts
import Testing

@testable import Sessions

/// A sign-in that renews a session: it keeps the second factor, or it renews the time of the sign-in, and never both.
@Suite("Renewed sign-ins")
struct RenewedSignInTests {
    private static let shown = SessionAccount(providers: ["oidc.acme"]).shown("totp", ["mfa", "otp"])

    private func signIn(at authTime: Int64?) -> VerifiedSignIn {
        VerifiedSignIn(
            account: AccountOutcome(supposing: Example.identity), authTime: authTime, providerSessionID: "new", tokens: Example.tokens,
            facts: SessionAccount(providers: ["oidc.acme", "password"]))
    }

    @Test(
        "the second factor of the session stays with the time of its sign-in",
        arguments: [
            (Example.start + 3_600_000, Example.start - 1_000), (nil, Example.start - 1_000),
            (Example.start - 5_000, Example.start - 5_000),
        ] as [(Int64?, Int64)])
    func kept(authTime: Int64?, expected: Int64) throws {
        let renewed = try #require(signIn(at: authTime).keepingFactor(of: Example.session(account: Self.shown)))
        #expect(renewed.authTime == expected, "a fresh first factor is no fresh sign-in with two")
        #expect(renewed.facts?.secondFactor == "totp" && renewed.facts?.methods == ["mfa", "otp"])
        #expect(renewed.facts?.providers == ["oidc.acme", "password"] && renewed.providerSessionID == "new")
    }

    @Test func `a session without a second factor has none to keep`() {
        #expect(signIn(at: nil).keepingFactor(of: Example.session(account: SessionAccount(providers: []))) == nil)
        #expect(signIn(at: nil).keepingFactor(of: Example.session()) == nil)
        #expect(signIn(at: nil).with(facts: nil).keepingFactor(of: Example.session(account: Self.shown)) == nil)
    }
}
