import Accounts
import Providers
import Sessions
import SignIn
import Testing
import TokenCrypto

@testable import Backchannel

/// Everything that is verified with a provider's keys.
enum KeyUse: CaseIterable, Sendable {
    case signIn, refresh, bearer, logout

    /// Whether a token that the provider signs now is accepted. `session`: of a sign-in before, for the refresh.
    func accepts(_ client: ProviderClient, of provider: ProviderFixture, _ session: Session) async throws -> Bool {
        switch self {
        case .signIn: return try await provider.signIn(client).identity.subject == "alice"
        case .refresh:
            if case .refreshed(let tokens, _) = await client.refresh(session) { return tokens.idToken != session.tokens.idToken }
        case .bearer:
            if case .verified = await client.verifyBearer(provider.idToken(), form: .idToken, for: "192.0.2.1") { return true }
        case .logout: if case .verified = await client.verifyLogoutToken(provider.logoutToken()) { return true }
        }
        return false
    }
}

@Suite struct KeyCacheTests {
    private func forged(_ provider: ProviderFixture, keyID: String) -> String {
        SigningKey.generate(.es256, keyID: keyID).sign(payload: .object(["iss": .string(provider.issuer), "sub": .string("alice")]))
    }

    private func keyFetches(_ provider: ProviderFixture) -> Int { provider.server.requests(to: "/jwks").count }

    @Test func `rotated keys are fetched once for many sign-ins`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            for _ in 0..<3 { _ = try await provider.signIn(client) }
            #expect(self.keyFetches(provider) == 1)
            provider.rotateKeys(to: "k2")
            for _ in 0..<3 { _ = try await provider.signIn(client) }
            #expect(self.keyFetches(provider) == 2)
        }
    }

    @Test(arguments: KeyUse.allCases, ["k2", "k1"])
    func `issue 19, 13: a rotation right after a key fetch is noticed at once, also with a new key under the old kid`(
        use: KeyUse, newKeyID: String
    ) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            for fetches in 2...3 {
                provider.rotateKeys(to: newKeyID)
                #expect(try await use.accepts(client, of: provider, session))
                #expect(self.keyFetches(provider) == fetches)
            }
        }
    }

    @Test(arguments: [true, false])
    func `issue 19, 13: junk from strangers leaves a look-up for the next sign-in and refresh`(isKnownKeyID: Bool) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            let junk = self.forged(provider, keyID: isKnownKeyID ? "k1" : "nobodys")
            for _ in 0..<10 {
                guard case .refused = await client.verifyBearer(junk, form: .idToken, for: "192.0.2.1"),
                    case .refused = await client.verifyLogoutToken(junk)
                else {
                    Issue.record("junk was not refused")
                    return
                }
            }
            #expect(self.keyFetches(provider) == 2)
            provider.rotateKeys(to: "k1")
            #expect(try await KeyUse.refresh.accepts(client, of: provider, session))
            #expect(try await provider.signIn(client).identity.subject == "alice")
            #expect(self.keyFetches(provider) == 3)
        }
    }

    @Test(arguments: ["unknown", "k1"])
    func `advisory mod_auth_openidc 2026-08-12: bad tokens ask the provider at most twice in ten seconds, and fail closed`(
        keyID: String
    ) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await provider.signIn(client)
            let foreign = self.forged(provider, keyID: keyID)
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: foreign) }
            for _ in 0..<5 { #expect(try await provider.refusal(client).code == .invalidIDToken) }
            #expect(self.keyFetches(provider) == 3)
            provider.clock.advance(by: 9_999)
            #expect(try await provider.refusal(client).code == .invalidIDToken)
            #expect(self.keyFetches(provider) == 3)
            provider.clock.advance(by: 1)
            for _ in 0..<5 { #expect(try await provider.refusal(client).code == .invalidIDToken) }
            #expect(self.keyFetches(provider) == 5)
        }
    }

    @Test(arguments: ["k2", "k1"])
    func `many sign-ins at once fetch the keys once`(newKeyID: String) async throws {
        try await ProviderFixture.run { provider in
            // Without nonces: the fixture signs for one sign-in at a time.
            let client = try provider.client { $0.nonce = .unsupported }
            for fetches in 1...2 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<10 { group.addTask { _ = try await provider.signIn(client) } }
                    try await group.waitForAll()
                }
                #expect(self.keyFetches(provider) == fetches)
                provider.rotateKeys(to: newKeyID)
            }
        }
    }

    @Test func `a token that fails another check than its signature is no reason to fetch`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await provider.signIn(client)
            let expired = provider.idToken(["exp": .integer(1)])
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: expired) }
            #expect(try await provider.refusal(client).code == .invalidIDToken)
            #expect(self.keyFetches(provider) == 1)
        }
    }

    @Test func `a look-up that failed makes the keys no younger`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await provider.signIn(client)
            let fetched = try #require(await client.keyStatus()).fetchedAt
            provider.replace("/jwks") { _ in .html(status: 500) }
            provider.clock.advance(by: 60_000)
            let foreign = self.forged(provider, keyID: "unknown")
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: foreign) }
            _ = try await provider.refusal(client)
            #expect(self.keyFetches(provider) == 2)
            #expect(await client.keyStatus()?.fetchedAt == fetched)
        }
    }

    @Test func `a refresh during a rotation that cannot be looked up keeps the session and its new tokens`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.rotateKeys(to: "k1")
            provider.replace("/jwks") { _ in .html(status: 500) }
            provider.replace("/token") { _ in provider.tokenAnswer(["refresh_token": .string("rt-2")]) }
            guard case .refreshed(let tokens, let identity) = await client.refresh(session) else {
                Issue.record("the session ends")
                return
            }
            #expect(tokens.refreshToken == "rt-2" && identity == session.identity)
        }
    }

    @Test func `a lost key endpoint keeps the good copy`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await provider.signIn(client)
            provider.replace("/jwks") { _ in .html(status: 500) }
            provider.clock.advance(by: 60_000)
            #expect(try await provider.signIn(client).identity.subject == "alice")
        }
    }
}

@Suite struct KeyLookUpsTests {
    private let now: Int64 = 1_800_000_000_000

    @Test func `the provider's own tokens get two look-ups in ten seconds`() {
        var lookUps = KeyLookUps()
        for offset in [0, 9_998] as [Int64] {
            #expect(lookUps.allows(.provider, now: now + offset))
            lookUps.record(broughtOtherKeys: false, now: now + offset)
        }
        #expect(!lookUps.allows(.provider, now: now + 9_999))
        #expect(lookUps.allows(.provider, now: now + 10_000))
    }

    @Test func `tokens in requests get the second look-up only after one that brought other keys`() {
        var lookUps = KeyLookUps()
        lookUps.record(broughtOtherKeys: true, now: now)
        #expect(lookUps.allows(.request, now: now))
        lookUps.record(broughtOtherKeys: false, now: now)
        #expect(!lookUps.allows(.request, now: now) && !lookUps.allows(.provider, now: now))
        lookUps = KeyLookUps()
        lookUps.record(broughtOtherKeys: false, now: now)
        #expect(!lookUps.allows(.request, now: now + 9_999) && lookUps.allows(.provider, now: now + 9_999))
        #expect(lookUps.allows(.request, now: now + 10_000))
    }

    @Test func `after the clock was set back look-ups go on at once`() {
        var lookUps = KeyLookUps()
        for _ in 0..<2 { lookUps.record(broughtOtherKeys: false, now: now) }
        #expect(lookUps.allows(.request, now: now - 3_600_000))
    }
}
