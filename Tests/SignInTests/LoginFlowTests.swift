import Accounts
import Providers
import Sessions
import Synchronization
import Testing
import TokenCrypto

@testable import SignIn

/// A login from its redirect to its identity, over a provider that is a script. Each row names the calls that the login made before it
/// failed, so a check that comes too late fails the test.
@Suite struct LoginFlowTests {
    /// A login that fails.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The callback's query; `STATE` stands for the login's state.
        var query = "code=the-code&state=STATE"
        var sendsCookie = true
        /// Milliseconds between the redirect and the callback.
        var wait: Int64 = 0
        var script = LoginScript()
        /// The calls after the redirect.
        var steps = ["connect"]
        let failure: SignInError

        init(_ name: String, _ failure: SignInError, steps: [String] = ["connect"], _ change: (inout Row) -> Void = { _ in }) {
            self.testDescription = name
            self.failure = failure
            self.steps = steps
            change(&self)
        }
    }

    private static func failure(
        _ code: SignInError.Code, _ reason: String, providerCode: String? = nil, returnsTo path: String? = "/deep", restarts: Bool = false,
        time: TimeClaim? = nil
    ) -> SignInError {
        var failure = SignInError(code, provider: "oidc.acme", reason, providerCode: providerCode)
        failure.returnPath = path
        failure.restartsLogin = restarts
        failure.timeClaim = time
        return failure
    }

    private static func refusedToken(_ refusal: IDTokenRefusal) -> SignInError {
        refusal.signInError(provider: "oidc.acme").returning(to: "/deep")
    }

    private static let exchanged = ["connect", "POST https://id.example/t"]
    private static let verified = exchanged + ["keys"]
    private static let asked = verified + ["GET https://id.example/u with at-1"]
    private static let timeout = SignInError(.providerTimeout, provider: "oidc.acme", "no answer in time")

    private static let callbacks: [Row] = [
        Row("the provider cannot be reached", SignInError(.providerUnavailable, provider: "oidc.acme", "discovery: unreachable")) {
            $0.script.connectFailure = SignInError(.providerUnavailable, provider: "oidc.acme", "discovery: unreachable")
        },
        Row("no state", failure(.invalidState, "the callback has no state", returnsTo: nil)) { $0.query = "code=c" },
        Row("a state of no login", failure(.invalidState, "no sign-in of this browser has the callback's state", returnsTo: nil)) {
            $0.query = "code=c&state=wrong"
        },
        Row("a state with another secret", failure(.invalidState, "the callback's state differs from the sign-in's", returnsTo: nil)) {
            $0.query = "code=c&state=STATEx"
        },
        Row("no cookie", failure(.invalidState, "no sign-in of this browser has the callback's state", returnsTo: nil)) {
            $0.sendsCookie = false
        },
        Row("after ten minutes", failure(.loginExpired, "the sign-in took longer than ten minutes", restarts: true)) { $0.wait = 600_000 },
        Row(
            "after ten minutes, without the cookie",
            failure(.loginExpired, "the sign-in took longer than ten minutes", returnsTo: nil, restarts: true)
        ) {
            $0.wait = 600_000
            $0.sendsCookie = false
        },
        Row("RFC 9207: another issuer", failure(.invalidIssuer, "the callback's iss is not the provider's issuer")) {
            $0.query += "&iss=https://evil.example"
        },
        Row(
            "RFC 9207: no issuer, although promised", failure(.invalidIssuer, "the callback has no iss, although the provider announces it")
        ) {
            $0.script.metadata["authorization_response_iss_parameter_supported"] = .bool(true)
        },
        Row("neither code nor error", failure(.invalidRequest, "the callback has neither code nor error")) { $0.query = "state=STATE" },
        Row("the user cancels", providerError(.accessDenied, "access_denied")) { $0.query = "error=access_denied&state=STATE" },
        Row("the provider must show a page", providerError(.interactionRequired, "login_required")) {
            $0.query = "error=login_required&state=STATE"
        },
        Row("the provider is busy", providerError(.providerUnavailable, "temporarily_unavailable")) {
            $0.query = "error=temporarily_unavailable&state=STATE"
        },
        Row("an error and a code", providerError(.providerError, "server_error")) { $0.query += "&error=server_error" },
    ]

    private static func providerError(_ code: SignInError.Code, _ providerCode: String) -> SignInError {
        failure(code, "the provider returned an error to the callback", providerCode: providerCode)
    }

    private static let tokenResponses: [Row] = [
        Row("the token endpoint does not answer", timeout.returning(to: "/deep"), steps: exchanged) { $0.script.token = .failure(timeout) },
        Row(
            "the token endpoint refuses the code",
            failure(.providerError, "the token endpoint answered with an error", providerCode: "invalid_grant"), steps: exchanged
        ) { $0.script.token = .json(#"{"error":"invalid_grant"}"#, status: 400) },
        Row("the token endpoint fails", failure(.providerUnavailable, "the token endpoint answered with status 503"), steps: exchanged) {
            $0.script.token = .answer(ProviderAnswer(status: 503, contentType: "text/html", body: []))
        },
        Row(
            "the token response is HTML",
            failure(.invalidTokenResponse, "the token response is invalid: the response's content type is not JSON"), steps: exchanged
        ) { $0.script.token = .answer(ProviderAnswer(status: 200, contentType: "text/html", body: [])) },
        Row(
            "no access token", failure(.invalidTokenResponse, "the token response is invalid: the response has no access_token"),
            steps: exchanged
        ) { $0.script.token = .json(#"{"token_type":"Bearer","id_token":"x"}"#) },
        Row("no ID token", failure(.invalidTokenResponse, "the token response has no id_token"), steps: exchanged) {
            $0.script.token = .json(#"{"access_token":"at-1","token_type":"Bearer"}"#)
        },
    ]

    private static let late = JSONValue.integer(epoch / 1000 - 61)
    private static let idTokens: [Row] = [
        Row("the keys cannot be fetched", timeout.returning(to: "/deep"), steps: verified) { $0.script.keysFailure = timeout },
        Row("nonce of another login", refusedToken(.nonce), steps: verified) { $0.script.claims["nonce"] = .string("other") },
        Row("aud of another client", refusedToken(.audience), steps: verified) { $0.script.claims["aud"] = .string("other") },
        Row("azp of another client", refusedToken(.authorizedParty), steps: verified) { $0.script.claims["azp"] = .string("other") },
        Row("iss of another provider", refusedToken(.issuer), steps: verified) {
            $0.script.claims["iss"] = .string("https://evil.example")
        },
        Row("exp in the past", refusedToken(.time(.exp, late)), steps: verified) { $0.script.claims["exp"] = late },
        Row("at_hash of another token", refusedToken(.accessTokenHash), steps: verified) { $0.script.claims["at_hash"] = .string("x") },
        Row("no sub", refusedToken(.subject), steps: verified) { $0.script.claims["sub"] = .some(nil) },
        Row("a logout token", refusedToken(.wrongKind), steps: verified) { $0.script.claims["events"] = .object([:]) },
        Row("a foreign signature", refusedToken(.signature(.signatureInvalid)), steps: verified + ["newer keys"]) {
            $0.script.signer = ScriptKeys.foreign
        },
        Row("an unknown key, also later", refusedToken(.signature(.unknownKeyID)), steps: verified + ["newer keys"]) {
            $0.script.signer = ScriptKeys.next
            $0.script.publishedLater = [ScriptKeys.current]
        },
    ]

    private static let userinfos: [Row] = [
        Row("userinfo does not answer", timeout.returning(to: "/deep"), steps: asked) { $0.script.userinfo = .failure(timeout) },
        Row("userinfo fails", failure(.providerUnavailable, "userinfo is invalid: it answered with status 500"), steps: asked) {
            $0.script.userinfo = .json("{}", status: 500)
        },
        Row("userinfo refuses the token", failure(.invalidUserinfo, "userinfo is invalid: it answered with status 401"), steps: asked) {
            $0.script.userinfo = .json("{}", status: 401)
        },
        Row(
            "userinfo about another user", failure(.subjectMismatch, "userinfo is invalid: its sub differs from the ID token's"),
            steps: asked
        ) { $0.script.userinfo = .json(#"{"sub":"mallory"}"#) },
        Row(
            "an account outside of the configured domain",
            failure(.accessDenied, "the ID token's hd differs from the value in customParameters"), steps: asked
        ) {
            $0.script.settings.enforcedParameters = [ProviderPreset.EnforcedParameter("hd", claim: "hd")]
            $0.script.settings.set(parameter: "hd", to: "example.com")
        },
    ]

    /// A browser that begins a login at a scripted provider and comes back.
    private struct Browser {
        let provider: ScriptedProvider
        let flow: LoginFlow
        let clock = Clock()
        let state: String
        let cookies: [(name: String, value: String)]

        final class Clock: Sendable {
            private let milliseconds = Mutex(epoch)
            var now: Int64 { self.milliseconds.withLock { $0 } }
            func advance(by delta: Int64) { self.milliseconds.withLock { $0 += delta } }
        }

        init(_ script: LoginScript, purpose: LoginPurpose = .signIn) async throws {
            // The redirect needs a provider that can be reached.
            var reachable = script
            reachable.connectFailure = nil
            let transactions = makeTransactions()
            let clock = self.clock
            let start = try await LoginFlow(provider: ScriptedProvider(reachable), transactions: transactions, now: { clock.now })
                .begin(returnPath: "/deep", purpose: purpose)
            let mark = try #require(start.url.firstIndex(of: "?"))
            let fields = try #require(FormCoding.fields(of: String(start.url[start.url.index(after: mark)...])))
            self.state = try #require(fields.first { $0.name == "state" }?.value)
            self.cookies = [cookie(of: try #require(start.setCookies.last))]
            self.provider = try ScriptedProvider(script)
            self.provider.authorize(nonce: fields.first { $0.name == "nonce" }?.value)
            self.flow = LoginFlow(provider: self.provider, transactions: transactions, now: { clock.now })
        }

        func comeBack(_ query: String = "code=the-code&state=STATE", sendsCookie: Bool = true) async throws -> CompletedLogin {
            let text = query.split(separator: "STATE", omittingEmptySubsequences: false).joined(separator: self.state)
            return try await self.flow.complete(UnverifiedCallback(parsing: text), cookies: sendsCookie ? self.cookies : [])
        }
    }

    @Test func `a login calls the token endpoint, the keys and userinfo, in this order`() async throws {
        let browser = try await Browser(LoginScript())
        let login = try await browser.comeBack()
        #expect(browser.provider.steps == Self.asked)
        #expect(login.identity.subject == "alice")
        #expect(login.identity.email == "alice@x.example")
        #expect(
            login.tokens
                == Session.Tokens(
                    accessToken: "at-1", accessTokenExpiresAt: epoch + 300_000, accessTokenLifetime: 300_000, refreshToken: "rt-1",
                    idToken: login.tokens.idToken))
        #expect(login.tokens.idToken != nil)
        #expect(login.providerSessionID == "sid-1")
        #expect(login.returnPath == "/deep")
        #expect(AccountOutcome(withoutStore: login.verified).identity == login.identity)
    }

    @Test func `a token under a new key passes after one more fetch of the keys`() async throws {
        var script = LoginScript()
        script.signer = ScriptKeys.next
        script.publishedLater = [ScriptKeys.next]
        let browser = try await Browser(script)
        _ = try await browser.comeBack()
        #expect(browser.provider.steps == Self.verified + ["newer keys", "GET https://id.example/u with at-1"])
    }

    @Test func `plain OAuth 2.0: the API names the user, and an ID token that nobody verified is dropped`() async throws {
        var script = LoginScript()
        script.settings = oauth2Settings { $0.email = .claim }
        script.token = .json(#"{"access_token":"at-1","token_type":"bearer","id_token":"x.y.z"}"#)
        script.userinfo = .json(#"{"id":7,"login":"octocat"}"#)
        let browser = try await Browser(script)
        let login = try await browser.comeBack()
        #expect(login.identity.subject == "7")
        #expect(login.tokens.idToken == nil)
        #expect(!browser.provider.steps.contains("keys"))
    }

    @Test(arguments: callbacks)
    func `a callback that does not prove itself never reaches the token endpoint`(row: Row) async throws {
        try await self.check(row)
    }

    @Test(arguments: tokenResponses)
    func `an unusable token response ends the login`(row: Row) async throws { try await self.check(row) }

    @Test(arguments: idTokens)
    func `Core 3.1.3.7: an ID token that fails a check ends the login before userinfo`(row: Row) async throws { try await self.check(row) }

    @Test(arguments: userinfos)
    func `claims about another user, or none, end the login`(row: Row) async throws { try await self.check(row) }

    private func check(_ row: Row) async throws {
        let browser = try await Browser(row.script)
        browser.clock.advance(by: row.wait)
        let failure = await #expect(throws: SignInError.self) { try await browser.comeBack(row.query, sendsCookie: row.sendsCookie) }
        #expect(failure == row.failure)
        #expect(browser.provider.steps == row.steps)
    }

    @Test func `a re-authentication takes a fresh sign-in, or one whose time the provider does not state`() async throws {
        let purpose = LoginPurpose.reauthenticate(uid: "abc")
        for time in [epoch / 1000 - 60, epoch / 1000, nil] {
            var script = LoginScript()
            script.claims["auth_time"] = .some(time.map(JSONValue.integer))
            let browser = try await Browser(script, purpose: purpose)
            let login = try await browser.comeBack()
            #expect(login.purpose == purpose)
            #expect(login.authTime == time.map { $0 * 1000 })
        }
    }

    @Test func `a re-authentication refuses a sign-in from before it began, before userinfo`() async throws {
        var script = LoginScript()
        script.claims["auth_time"] = Self.late
        let browser = try await Browser(script, purpose: .reauthenticate(uid: "abc"))
        let failure = await #expect(throws: SignInError.self) { try await browser.comeBack() }
        #expect(failure?.code == .invalidIDToken)
        #expect(failure?.timeClaim == TimeClaim(.authTime, Self.late, now: epoch))
        #expect(browser.provider.steps == Self.verified)
    }

    @Test func `a second callback of one login makes no call`() async throws {
        let browser = try await Browser(LoginScript())
        _ = try await browser.comeBack()
        browser.provider.clearSteps()
        let failure = await #expect(throws: SignInError.self) { try await browser.comeBack() }
        #expect(failure == Self.failure(.loginExpired, "the sign-in was finished before", restarts: true))
        #expect(browser.provider.steps == ["connect"])
    }
}
