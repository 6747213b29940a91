import Accounts
import Backchannel
import Primitives
import Providers
import Sessions
import ServerProcesses
import SignIn
import Testing
import TokenCrypto

@Suite struct SignInFlowTests {
    @Test func `a sign-in ends with identity, tokens and the way back`() async throws {
        try await ProviderFixture.run { provider in
            let login = try await provider.signIn(provider.client())
            #expect(login.identity.subject == "alice")
            #expect(login.identity.issuer == provider.issuer)
            #expect(login.identity.email == "alice@x.example")
            #expect(login.identity.emailVerified == true)
            #expect(login.identity.groups == ["staff"])
            #expect(login.tokens.accessToken == "at-1")
            #expect(login.tokens.refreshToken == "rt-1")
            #expect(login.tokens.accessTokenExpiresAt == provider.clock.now + 300_000)
            #expect(login.tokens.idToken != nil)
            #expect(login.providerSessionID == "sid-1")
            #expect(login.returnPath == "/deep")
        }
    }

    @Test func `RFC 6749 2.3.1 and 4.1.3: the exchange is a POST with Basic of form-encoded parts, verifier and the same redirect URI`()
        async throws
    {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let callback = try await provider.callback(client)
            _ = try await client.completeLogin(callback.parameters, cookies: callback.cookies)
            let request = try #require(provider.server.requests(to: "/token").first)
            #expect(request.method == "POST")
            #expect(request.target == "/token")
            #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
            #expect(request.header("Accept") == "application/json")
            #expect(request.header("User-Agent") == "gateway")
            #expect(request.header("Authorization") == "Basic " + Base64.encode(Array("acme-web:a%3Ab%2Bc%20%25%2F%C3%A9".utf8)))
            let fields = Dictionary(uniqueKeysWithValues: try #require(FormCoding.fields(of: request.body)).map { ($0.name, $0.value) })
            #expect(fields["grant_type"] == "authorization_code")
            #expect(fields["code"] == "the-code")
            #expect(fields["redirect_uri"] == "http://127.0.0.1:4180/_gateway/callback/oidc.acme")
            #expect(fields["code_verifier"]?.count == 43)
            #expect(fields["client_secret"] == nil)
            let userinfo = try #require(provider.server.requests(to: "/userinfo").first)
            #expect(userinfo.header("Authorization") == "Bearer at-1")
            #expect(userinfo.target == "/userinfo")
        }
    }

    @Test func `the client authenticates as configured`() async throws {
        try await ProviderFixture.run { provider in
            _ = try await provider.signIn(provider.client { $0.clientAuthentication = .post })
            _ = try await provider.signIn(
                provider.client {
                    $0.clientAuthentication = ProviderPreset.ClientAuthentication.none
                    $0.clientSecret = nil
                })
            let requests = provider.server.requests(to: "/token")
            #expect(requests.allSatisfy { $0.header("Authorization") == nil })
            let bodies = try requests.map { try #require(FormCoding.fields(of: $0.body)) }
            #expect(bodies[0].contains { $0.name == "client_secret" && $0.value == "a:b+c %/é" })
            #expect(bodies[0].contains { $0.name == "client_id" && $0.value == "acme-web" })
            #expect(!bodies[1].contains { $0.name == "client_secret" })
            #expect(bodies[1].contains { $0.name == "client_id" && $0.value == "acme-web" })
        }
    }

    @Test func `RFC 7523 3: private_key_jwt names the issuer as the one audience and is valid for a minute`() async throws {
        let key = SigningKey.generate(.es256)
        try await ProviderFixture.run { provider in
            _ = try await provider.signIn(
                provider.client {
                    $0.clientAuthentication = .privateKeyJWT
                    $0.privateKey = .init(key.pem)
                    $0.keyID = "client-key"
                })
            let body = try #require(provider.server.requests(to: "/token").first).body
            let fields = Dictionary(uniqueKeysWithValues: try #require(FormCoding.fields(of: body)).map { ($0.name, $0.value) })
            #expect(fields["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            let assertion = try UnverifiedJWS(compact: try #require(fields["client_assertion"]))
            #expect(assertion.keyID == "client-key")
            #expect(assertion.payload["aud"] == .string(provider.issuer))
            #expect(assertion.payload["iss"] == .string("acme-web"))
            #expect(assertion.payload["sub"] == .string("acme-web"))
            #expect(assertion.payload["jti"]?.string?.isEmpty == false)
            #expect(assertion.payload["exp"]?.integer == NumericDate.issued(at: provider.clock.now) + 60)
            #expect(fields["client_secret"] == nil)
        }
    }

    @Test func `RFC 9207 2.4: a foreign iss is refused before the token endpoint is asked`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let callback = try await provider.callback(client, answer: "code=c&iss=https://evil.example")
            let error = try await #require(throws: SignInError.self) {
                try await client.completeLogin(callback.parameters, cookies: callback.cookies)
            }
            #expect(error.code == .invalidIssuer)
            #expect(provider.server.requests(to: "/token").isEmpty)
        }
    }

    @Test(arguments: ["code=c", "error=access_denied"])
    func `RFC 9207 2.4: once the metadata promises iss, an answer without it is refused`(answer: String) async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/.well-known/openid-configuration") { _ in
                provider.discovery(["authorization_response_iss_parameter_supported": .bool(true)])
            }
            let client = try provider.client()
            let without = try await provider.callback(client, answer: answer)
            let error = try await #require(throws: SignInError.self) {
                try await client.completeLogin(without.parameters, cookies: without.cookies)
            }
            #expect(error.code == .invalidIssuer)
            #expect(provider.server.requests(to: "/token").isEmpty)
            let with = try await provider.callback(client, answer: "code=c&iss=" + FormCoding.queryComponent(provider.issuer))
            #expect(try await client.completeLogin(with.parameters, cookies: with.cookies).identity.subject == "alice")
        }
    }

    @Test func `RFC 9700 4.7.1: a second callback with the same state does not reach the provider`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            let callback = try await provider.callback(client)
            _ = try await client.completeLogin(callback.parameters, cookies: callback.cookies)
            let error = try await #require(throws: SignInError.self) {
                try await client.completeLogin(callback.parameters, cookies: callback.cookies)
            }
            #expect(error.code == .loginExpired)
            #expect(error.restartsLogin)
            #expect(provider.server.requests(to: "/token").count == 1)
        }
    }

    @Test func `RFC 9700 4.5.3: another sign-in's code brings another nonce and is refused`() async throws {
        try await ProviderFixture.run { provider in
            let stolen = provider.idToken(["nonce": .string("of-another-sign-in")])
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: stolen) }
            let error = try await provider.refusal(provider.client())
            #expect(error.code == .invalidIDToken)
            #expect(error.reason.contains("nonce"))
            #expect(error.returnPath == "/deep")
            #expect(provider.server.requests(to: "/userinfo").isEmpty)
        }
    }

    @Test func `Core 5.3.2: userinfo about somebody else ends the sign-in`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/userinfo") { _ in .json(#"{"sub":"mallory","email":"victim@x.example","email_verified":true}"#) }
            let error = try await provider.refusal(provider.client())
            #expect(error.code == .subjectMismatch)
        }
    }

    @Test func `an account outside of the hd domain is refused, whatever the browser asked for`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client {
                $0.enforcedParameters = [ProviderPreset.EnforcedParameter("hd", claim: "hd")]
                $0.set(parameter: "hd", to: "example.com")
                $0.requestParameters = ["hd"]
            }
            let error = try await provider.refusal(client)
            #expect(error.code == .accessDenied)
            #expect(error.status == 403)
        }
    }

    @Test func `userinfo: false does not ask`() async throws {
        try await ProviderFixture.run { provider in
            let login = try await provider.signIn(provider.client { $0.usesUserinfo = false })
            #expect(login.identity.email == nil)
            #expect(provider.server.requests(to: "/userinfo").isEmpty)
        }
    }

    @Test func `an answer without an ID token is refused`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/token") { _ in .json(#"{"access_token":"at","token_type":"Bearer"}"#) }
            let error = try await provider.refusal(provider.client())
            #expect(error.code == .invalidTokenResponse)
        }
    }

    struct Hostile: Sendable, CustomStringConvertible {
        var description: String
        var reply: ScriptedServer.Reply
    }

    private static let hostile: [Hostile] = [
        .init(description: "HTML", reply: .html()), .init(description: "an HTML error", reply: .html(status: 500)),
        .init(description: "a redirect", reply: .answer(status: 302, headers: [("Location", "/elsewhere")], body: [])),
        .init(description: "a 307", reply: .answer(status: 307, headers: [("Location", "/elsewhere")], body: [])),
        .init(description: "half JSON", reply: .truncated(#"{"access_token":"#)), .init(description: "an endless body", reply: .endless),
        .init(
            description: "ten megabytes",
            reply: .answer(status: 200, headers: [("Content-Type", "application/json")], body: .init(repeating: 0x20, count: 10 << 20))),
        .init(description: "an empty body", reply: .json("")), .init(description: "duplicate keys", reply: .json(#"{"a":1,"a":2}"#)),
        .init(description: "a list", reply: .json("[]")),
        .init(description: "deep nesting", reply: .json(String(repeating: "[", count: 10_000))),
        .init(description: "wrong types", reply: .json(#"{"access_token":{},"token_type":[],"keys":{},"issuer":1,"sub":[]}"#)),
        .init(description: "a closed connection", reply: .hangUp),
        .init(
            description: "not UTF-8",
            reply: .answer(status: 200, headers: [("Content-Type", "application/json")], body: [0x7b, 0xff, 0x7d])),
        .init(
            description: "two content types",
            reply: .answer(
                status: 200, headers: [("Content-Type", "application/json"), ("Content-Type", "text/html")], body: Array("{}".utf8))),
    ]

    @Test(arguments: ["/token", "/userinfo", "/jwks", "/.well-known/openid-configuration"], hostile)
    func `CVE-2026-26998: a hostile answer becomes a typed error that names the provider`(path: String, hostile: Hostile) async throws {
        try await ProviderFixture.run { provider in
            provider.replace(path) { _ in hostile.reply }
            let error = try await provider.refusal(provider.client())
            #expect(error.provider == "oidc.acme")
            #expect([502, 504].contains(error.status))
            #expect([.invalidTokenResponse, .providerError, .providerUnavailable, .invalidUserinfo, .subjectMismatch].contains(error.code))
            #expect(provider.server.requests(to: "/elsewhere").isEmpty)
            for secret in ["canary", "a:b+c", "at-1", "rt-1", "the-code"] { #expect(!"\(error)".contains(secret)) }
        }
    }

    @Test(
        arguments: ["/token", "/userinfo", "/.well-known/openid-configuration"], [["text/html"], [], ["application/json", "text/html"]])
    func `a right answer under another content type, none or two is refused`(path: String, types: [String]) async throws {
        try await ProviderFixture.run { provider in
            provider.replace(path) { _ in
                let right: ScriptedServer.Reply =
                    switch path {
                    case "/token": provider.tokenAnswer()
                    case "/userinfo": .json(#"{"sub":"alice"}"#)
                    default: provider.discovery()
                    }
                guard case .answer(let status, _, let body) = right else { return nil }
                return .answer(status: status, headers: types.map { ("Content-Type", $0) }, body: body)
            }
            let error = try await provider.refusal(provider.client())
            #expect(error.status == 502)
        }
    }

    @Test(arguments: ["/token", "/userinfo", "/jwks", "/.well-known/openid-configuration"])
    func `silence becomes a 504 within the time limit`(path: String) async throws {
        try await ProviderFixture.run(timeout: .milliseconds(300)) { provider in
            provider.replace(path) { _ in .silence }
            let error = try await provider.refusal(provider.client())
            #expect(error.code == .providerTimeout)
            #expect(error.status == 504)
        }
    }

    @Test(arguments: [.json(#"{"error":"invalid_request"}"#, status: 400), .html(status: 500), .hangUp] as [ScriptedServer.Reply])
    func `RFC 7636 7.2: a failed exchange is never repeated, with or without its verifier`(reply: ScriptedServer.Reply) async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/token") { _ in reply }
            _ = try await provider.refusal(provider.client())
            let requests = provider.server.requests(to: "/token")
            #expect(requests.count == 1)
            #expect(requests.allSatisfy { $0.body.contains("code_verifier=") })
        }
    }

    @Test func `Form Post: the transaction cookie survives a cross-site POST`() async throws {
        try await ProviderFixture.run { provider in
            let start = try await provider.client { $0.responseMode = .formPost }.beginLogin(returnPath: "/")
            #expect(start.url.contains("&response_mode=form_post"))
            #expect(start.setCookies.last?.hasSuffix("; Secure; HttpOnly; SameSite=None") == true)
        }
    }

    @Test func `what a browser may not set is reported`() async throws {
        try await ProviderFixture.run { provider in
            let start = try await provider.client { $0.requestParameters = ["login_hint"] }.beginLogin(
                returnPath: "/", requestParameters: [("login_hint", "al"), ("scope", "admin")])
            #expect(start.url.contains("&login_hint=al"))
            #expect(start.dropped.names == ["scope"])
            #expect(start.dropped.byReason.map(\.reason) == [.reserved])
        }
    }

    @Test func `an oauth2 provider of one's own: endpoints, nested claims, the token endpoint's origin as issuer`() async throws {
        try await ProviderFixture.run { provider in
            let preset = try #require(ProviderCatalogue.preset(for: "oauth2.legacy"))
            var settings = ProviderSettings(
                id: "oauth2.legacy", preset: preset, site: .init(), clientID: "c", redirectBase: "http://127.0.0.1:4180/_gateway")
            settings.clientSecret = .init("secret-secret")
            settings.endpoints.authorization = provider.issuer + "/authorize"
            settings.endpoints.token = provider.issuer + "/token"
            settings.endpoints.userinfo = provider.issuer + "/me"
            settings.claims = .init(subject: "data.uuid", email: "data.mail", emailVerified: "data.mail_ok", groups: "data.teams")
            provider.replace("/me") { _ in .json(#"{"data":{"uuid":"u-1","mail":"al@x.example","mail_ok":true,"teams":["a"]}}"#) }
            let login = try await provider.signIn(provider.client(for: settings))
            #expect(login.identity.issuer == provider.server.origin)
            #expect(login.identity.subject == "u-1")
            #expect(login.identity.email == "al@x.example")
            #expect(login.identity.emailVerified == true)
            #expect(login.identity.groups == ["a"])
            // An ID token that nobody verified is not kept.
            #expect(login.tokens.idToken == nil)
        }
    }

    @Test func `no token, code, secret or state reaches the log`() async throws {
        try await ProviderFixture.run { provider in
            let log = LogRecorder()
            let client = try provider.client(logger: log.logger)
            client.start()
            let login = try await provider.signIn(client)
            provider.replace("/revoke") { _ in .html(status: 500) }
            await client.revoke(login.tokens)
            provider.replace("/token") { _ in .json(#"{"error":"invalid_grant","error_description":"rt-1 canary"}"#, status: 400) }
            _ = try await provider.refusal(client)
            client.stop()
            #expect(log.text.contains("Provider ready"))
            #expect(log.text.contains("Token revocation failed"))
            for secret in ["at-1", "rt-1", "the-code", "a:b+c", "canary", login.tokens.idToken ?? "?"] {
                #expect(!log.text.contains(secret))
            }
        }
    }

    @Test func `a refused connection is told without its address`() async throws {
        try await ProviderFixture.run { provider in
            // Bound and not listening: refused for sure, and nobody else can get the port meanwhile.
            let refusing = try #require(RefusingPort())
            defer { refusing.close() }
            let client = try provider.client { $0.issuer = "http://127.0.0.1:\(refusing.port)" }
            let error = try await #require(throws: SignInError.self) { try await client.beginLogin(returnPath: "/") }
            // Not a timeout: nobody waits for a connection that was refused.
            #expect(error.code == .providerUnavailable)
            #expect(!error.reason.contains("127.0.0.1"))
        }
    }
}
