import Accounts
import Primitives
import Providers
import Sessions
import Testing
import TokenCrypto

@testable import SignIn

@Suite struct LoginPurposeTests {
    private func transaction(_ purpose: LoginPurpose) -> LoginTransaction {
        LoginTransaction(
            provider: "oidc.acme", issuer: "https://auth.example.com", usesNonce: true, returnPath: "/", redirectURI: "https://app/cb",
            purpose: purpose, now: 1_000_000)
    }

    @Test(arguments: [LoginPurpose.signIn, .link(uid: "abc"), .reauthenticate(uid: "abc")])
    func aPurposeStaysWithItsTransaction(_ purpose: LoginPurpose) throws {
        let sealed = self.transaction(purpose).sealed(with: ring, cookieName: "c")
        let opened = try #require(LoginTransaction(sealed: sealed, with: ring, cookieName: "c"))
        #expect(opened.purpose == purpose)
    }

    @Test("a build that knows no purposes refuses a link instead of signing in")
    func linksHaveAVersionOfTheirOwn() throws {
        func version(_ purpose: LoginPurpose) throws -> Int64? {
            let sealed = try #require(Base64URL.decode(self.transaction(purpose).sealed(with: ring, cookieName: "c")))
            let plain = try #require(ring.open(sealed, associatedData: Array("c".utf8)))
            return try JSONValue(parsing: plain)["v"]?.integer
        }
        #expect(try version(.signIn) == 1)
        #expect(try version(.link(uid: "abc")) == 2)
        #expect(try version(.reauthenticate(uid: "abc")) == 2)
    }

    @Test(arguments: [#"{"o":"link"}"#, #"{"o":"merge","w":"abc"}"#, #"{"w":"abc"}"#, #"{"o":"link","w":1}"#])
    func anUnknownPurposeIsNoSignIn(_ text: String) throws {
        #expect(LoginPurpose(members: try JSONValue(parsing: Array(text.utf8))) == nil)
    }

    @Test func aReauthenticationAsksForTheCredentialsAgain() {
        let settings = oidcSettings { $0.set(parameter: "prompt", to: "consent") }
        let fresh = AuthorizationRequest(settings: settings, requested: [], isFresh: true).parameters
        #expect(fresh.filter { $0.name == "prompt" }.map { $0.value } == ["login"])
        #expect(fresh.filter { $0.name == "max_age" }.map { $0.value } == ["0"])
        let plain = AuthorizationRequest(settings: settings, requested: []).parameters
        #expect(plain.filter { $0.name == "prompt" }.map { $0.value } == ["consent"])
        #expect(!plain.contains { $0.name == "max_age" })
    }
}
