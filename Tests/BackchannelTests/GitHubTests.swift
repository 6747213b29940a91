import Accounts
import Backchannel
import Providers
import Sessions
import SignIn
import Testing
import TokenCrypto

/// GitHub Enterprise on loopback: `baseURL` is the scripted server.
@Suite struct GitHubTests {
    private func client(_ provider: ProviderFixture) throws -> ProviderClient {
        let preset = try #require(ProviderCatalogue.preset(for: "github.com"))
        var settings = ProviderSettings(
            id: "github.com", preset: preset, site: .init(baseURL: provider.server.origin), clientID: "Iv1.x",
            redirectBase: "http://127.0.0.1:4180/_gateway")
        settings.clientSecret = .init("s3cret-s3cret")
        provider.replace("/login/oauth/access_token") { _ in
            .json(#"{"access_token":"gho_x","scope":"read:user,user:email","token_type":"bearer"}"#)
        }
        provider.replace("/api/v3/user") { _ in .json(#"{"id":583231,"login":"octocat","name":null,"email":null}"#) }
        provider.replace("/api/v3/user/emails") { _ in
            .json(
                #"[{"email":"spare@x.example","primary":false,"verified":true},{"email":"octo@x.example","primary":true,"verified":true}]"#)
        }
        return provider.client(for: settings)
    }

    @Test func `a sign-in takes the person from /user and the address from /user/emails`() async throws {
        try await ProviderFixture.run { provider in
            let client = try self.client(provider)
            let login = try await provider.signIn(client)
            #expect(login.identity.subject == "583231")
            #expect(login.identity.issuer == provider.server.origin)
            #expect(login.identity.username == "octocat")
            #expect(login.identity.email == "octo@x.example")
            #expect(login.identity.emailVerified == true)
            #expect(login.tokens.accessToken == "gho_x")
            #expect(login.tokens.accessTokenExpiresAt == nil)
            #expect(client.status == .ready)
            let user = try #require(provider.server.requests(to: "/api/v3/user").first)
            #expect(user.header("Authorization") == "Bearer gho_x")
            #expect(user.header("User-Agent") == "gateway")
            #expect(user.header("X-GitHub-Api-Version") == "2022-11-28")
            #expect(user.header("Accept") == "application/vnd.github+json")
            let token = try #require(provider.server.requests(to: "/login/oauth/access_token").first)
            #expect(token.header("Accept") == "application/json")
            #expect(token.body.contains("client_secret=s3cret-s3cret"))
            #expect(token.body.contains("code_verifier="))
        }
    }

    @Test func `a token error with status 200 is an error`() async throws {
        try await ProviderFixture.run { provider in
            let client = try self.client(provider)
            provider.replace("/login/oauth/access_token") { _ in
                .json(#"{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired."}"#)
            }
            let error = try await provider.refusal(client)
            #expect(error.code == .providerError)
            #expect(error.providerCode == "bad_verification_code")
            #expect(provider.server.requests(to: "/api/v3/user").isEmpty)
        }
    }

    @Test func `older servers answer with a form`() async throws {
        try await ProviderFixture.run { provider in
            let client = try self.client(provider)
            provider.replace("/login/oauth/access_token") { _ in
                .answer(
                    status: 200, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
                    body: Array("access_token=gho_y&scope=user%3Aemail&token_type=bearer".utf8))
            }
            #expect(try await provider.signIn(client).tokens.accessToken == "gho_y")
        }
    }

    @Test func `without leave to list addresses the person has no verified one`() async throws {
        try await ProviderFixture.run { provider in
            let client = try self.client(provider)
            provider.replace("/api/v3/user/emails") { _ in .json(#"{"message":"Not Found"}"#, status: 404) }
            provider.replace("/api/v3/user") { _ in .json(#"{"id":1,"login":"x","email":"public@x.example"}"#) }
            let login = try await provider.signIn(client)
            #expect(login.identity.email == "public@x.example")
            #expect(login.identity.emailVerified == nil)
            provider.replace("/api/v3/user/emails") { _ in .json("{}", status: 500) }
            #expect(try await provider.refusal(client).code == .providerUnavailable)
        }
    }

    @Test func `a refresh that comes back as another person ends the session`() async throws {
        try await ProviderFixture.run { provider in
            let client = try self.client(provider)
            let login = try await provider.signIn(client)
            var tokens = login.tokens
            tokens.refreshToken = "ghr_1"
            let session = Session.issue(
                for: AccountOutcome(withoutStore: login.verified), authTime: nil, providerSessionID: nil, tokens: tokens,
                now: provider.clock.now)
            guard case .refreshed(let renewed, _) = await client.refresh(session) else {
                Issue.record("not refreshed")
                return
            }
            #expect(renewed.refreshToken == "ghr_1")
            provider.replace("/api/v3/user") { _ in .json(#"{"id":2,"login":"octocat"}"#) }
            guard case .failedVerification = await client.refresh(session) else {
                Issue.record("the session goes on")
                return
            }
        }
    }
}
