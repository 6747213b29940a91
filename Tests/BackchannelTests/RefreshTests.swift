import Accounts
import Backchannel
import Sessions
import SignIn
import Testing
import TokenCrypto

@Suite struct RefreshTests {
    @Test func `RFC 6749 6: new tokens replace the old ones, claims are renewed`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.replace("/token") { _ in provider.tokenAnswer(["access_token": .string("at-2"), "refresh_token": .string("rt-2")]) }
            provider.replace("/userinfo") { _ in .json(#"{"sub":"alice","email":"new@x.example","email_verified":true,"groups":["moved"]}"#)
            }
            guard case .refreshed(let tokens, let identity) = await client.refresh(session) else {
                Issue.record("not refreshed")
                return
            }
            #expect(tokens.accessToken == "at-2")
            #expect(tokens.accessTokenLifetime == 300_000)
            #expect(tokens.refreshToken == "rt-2")
            #expect(identity.groups == ["moved"])
            #expect(identity.email == "new@x.example")
            let body = try #require(provider.server.requests(to: "/token").last).body
            #expect(body == "grant_type=refresh_token&refresh_token=rt-1")
        }
    }

    @Test(arguments: [nil, .string("low"), .string("highest")] as [JSONValue?])
    func `a refresh is no sign-in: acr stays that of the sign-in`(refreshed: JSONValue?) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["acr": .string("phr")])) }
            let session = try await provider.session(client)
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["acr": refreshed])) }
            guard case .refreshed(_, let identity) = await client.refresh(session) else {
                Issue.record("not refreshed")
                return
            }
            #expect(identity.claims["acr"] == .string("phr"))
        }
    }

    @Test(arguments: [nil, .array([.string("pwd"), .string("mfa")])] as [JSONValue?])
    func `a refresh is no sign-in: amr stays that of the sign-in, and no later factor counts for it`(refreshed: JSONValue?) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            for before in [.array([.string("pwd")]), nil] as [JSONValue?] {
                provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["amr": before])) }
                let session = try await provider.session(client)
                provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["amr": refreshed])) }
                guard case .refreshed(_, let identity) = await client.refresh(session) else {
                    Issue.record("not refreshed")
                    return
                }
                #expect(identity.claims["amr"] == before)
            }
        }
    }

    @Test func `RFC 6749 6 and Core 12.2: without new refresh and ID tokens the old ones stay`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.replace("/token") { _ in
                provider.tokenAnswer(["access_token": .string("at-2"), "refresh_token": nil, "id_token": nil, "expires_in": nil])
            }
            guard case .refreshed(let tokens, let identity) = await client.refresh(session) else {
                Issue.record("not refreshed")
                return
            }
            #expect(tokens.refreshToken == "rt-1")
            #expect(tokens.idToken == session.tokens.idToken)
            #expect(tokens.accessTokenExpiresAt == nil)
            #expect(identity == session.identity)
        }
    }

    @Test(arguments: ["invalid_grant", "bad_refresh_token"])
    func `RFC 9700 4.14.2: a refresh token that is not taken ends the session`(code: String) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.replace("/token") { _ in .json(#"{"error":"\#(code)"}"#, status: code == "invalid_grant" ? 400 : 200) }
            guard case .invalidGrant(let reason) = await client.refresh(session) else {
                Issue.record("the session goes on")
                return
            }
            #expect(reason == "the token endpoint answered with \(code)")
        }
    }

    @Test(
        arguments: [
            .html(status: 500), .html(), .json(#"{"error":"temporarily_unavailable"}"#, status: 503),
            .json(#"{"error":"invalid_client"}"#, status: 401), .hangUp,
            .truncated("{"), .json("[]"),
        ] as [ScriptedServer.Reply])
    func `RFC 9700 4.14.2: an outage decides nothing`(reply: ScriptedServer.Reply) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.replace("/token") { _ in reply }
            guard case .outage(let reason) = await client.refresh(session) else {
                Issue.record("decided")
                return
            }
            #expect(!reason.contains("rt-1"))
        }
    }

    @Test(
        arguments: [
            ["sub": .string("mallory")], ["iss": .string("https://evil.example")], ["aud": .string("other")], ["exp": .integer(1)],
            ["nonce": .string("other")],
        ] as [[String: JSONValue?]])
    func `Core 12.2: a refreshed ID token that fails a check ends the session`(change: [String: JSONValue?]) async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            let token = provider.idToken(change)
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: token) }
            guard case .failedVerification(let reason) = await client.refresh(session) else {
                Issue.record("the session goes on")
                return
            }
            #expect(reason.hasPrefix("the refreshed ID token failed verification: "))
        }
    }

    @Test(arguments: [.integer(1), .integer(4_000_000_000), .string("today")] as [JSONValue])
    func `issue 19, 24: another auth_time in refreshed ID tokens ends no session and is reported once`(authTime: JSONValue) async throws {
        try await ProviderFixture.run { provider in
            let log = LogRecorder()
            var client = try provider.client(logger: log.logger)
            let signedInAt = JSONValue.integer(provider.clock.now / 1000)
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["auth_time": signedInAt])) }
            let session = try await provider.session(client)
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: provider.idToken(["auth_time": authTime])) }
            for _ in 0..<3 {
                guard case .refreshed(let tokens, let identity) = await client.refresh(session) else {
                    Issue.record("the session ends")
                    return
                }
                let refreshed = session.refreshed(tokens: tokens, identity: identity, now: provider.clock.now)
                #expect(refreshed?.authTime == session.authTime)
                // The same provider after a reload.
                client = ProviderClient(continuing: client, transactions: provider.transactions, logger: log.logger)
            }
            #expect(log.text.split(separator: "\n").count { $0.contains("auth_time") } == 1)
        }
    }

    @Test func `userinfo about somebody else ends the session, its outage keeps the new tokens and the old claims`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            provider.replace("/token") { _ in provider.tokenAnswer(["access_token": .string("at-2"), "refresh_token": .string("rt-2")]) }
            for reply: ScriptedServer.Reply in [.html(status: 500), .hangUp, .html(), .html(status: 403)] {
                provider.replace("/userinfo") { _ in reply }
                guard case .refreshed(let tokens, let identity) = await client.refresh(session) else {
                    Issue.record("the new refresh token is lost")
                    return
                }
                #expect(tokens.refreshToken == "rt-2")
                #expect(identity == session.identity)
            }
            provider.replace("/userinfo") { _ in .json(#"{"sub":"mallory"}"#) }
            guard case .failedVerification = await client.refresh(session) else {
                Issue.record("the session goes on")
                return
            }
        }
    }

    @Test func `RFC 7009 2.1: the refresh token is revoked, a failure blocks nothing`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let session = try await provider.session(client)
            #expect(await client.revoke(session.tokens))
            #expect(provider.server.requests(to: "/revoke").map(\.body) == ["token=rt-1&token_type_hint=refresh_token"])
            #expect(await client.revoke(.init(accessToken: "at-1")))
            provider.replace("/revoke") { _ in .html(status: 503) }
            #expect(await !client.revoke(session.tokens))
            provider.replace("/revoke") { _ in .hangUp }
            #expect(await !client.revoke(session.tokens))
            #expect(await !client.revoke(.init()))
        }
    }

    @Test func `RP-Initiated Logout 2: the way to the provider's logout, where it has one`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            #expect(client.endSessionURL(idTokenHint: "a.b.c", postLogoutRedirectURI: "https://app.example/out", state: "s") == nil)
            _ = try await client.beginLogin(returnPath: "/")
            #expect(
                client.endSessionURL(idTokenHint: "a.b.c", postLogoutRedirectURI: "https://app.example/out", state: "s")
                    == provider.issuer
                    + "/logout?id_token_hint=a.b.c&client_id=acme-web&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fout&state=s")
            provider.replace("/.well-known/openid-configuration") { _ in provider.discovery(["end_session_endpoint": nil]) }
            let other = try provider.client()
            _ = try await other.beginLogin(returnPath: "/")
            #expect(other.endSessionURL(idTokenHint: nil, postLogoutRedirectURI: "https://app.example/out", state: "s") == nil)
        }
    }
}
