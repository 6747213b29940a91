import DevProvider
import Primitives
import Testing
import TokenCrypto

@Suite struct CodeFlowTests {
    @Test func `a sign-in gives tokens, claims that verify, and the same subject at userinfo`() throws {
        let client = TestClient(provider: makeProvider())
        let back = client.authorize()
        #expect(back.status == 302)
        let location = back.header("Location")
        #expect(location?.hasPrefix(callback + "?") == true)
        #expect(parameter("state", location) == "st4te")
        #expect(parameter("iss", location) == "https://id.example.com")

        let answer = client.exchange(parameter("code", location))
        #expect(answer.status == 200)
        #expect(answer["token_type"] == "Bearer")
        #expect(answer.header("Cache-Control") == "no-store")
        let claims = try verifiedClaims(answer["id_token"], client)
        #expect(claims["iss"]?.string == "https://id.example.com")
        #expect(claims["aud"]?.string == "web")
        #expect(claims["nonce"]?.string == "n0nce")
        #expect(claims["sub"]?.string == Person.alice.subject)
        #expect(claims["email_verified"]?.bool == true)
        #expect(claims["exp"]?.integer == now / 1000 + 300)
        #expect(claims["iat"]?.integer == now / 1000)
        #expect(claims["auth_time"]?.integer == now / 1000)
        let half = SHA2.sha256(Array((answer["access_token"] ?? "").utf8)).prefix(16)
        #expect(claims["at_hash"]?.string == Base64URL.encode(Array(half)))

        let userinfo = client.userinfo(answer["access_token"])
        #expect(userinfo["sub"] == Person.alice.subject)
        #expect(userinfo["preferred_username"] == "alice")
        #expect(userinfo.json?["groups"]?.array?.compactMap(\.string) == ["admins", "staff"])
    }

    @Test func `claims follow the scopes (OpenID Connect Core 5_4)`() throws {
        let client = TestClient(provider: makeProvider())
        let answer = client.exchange(parameter("code", client.authorize(changing: ["scope": "openid"]).header("Location")))
        let claims = try verifiedClaims(answer["id_token"], client)
        #expect(claims["email"] == nil)
        #expect(claims["name"] == nil)
        #expect(claims["sub"]?.string == Person.alice.subject)
    }

    @Test func `metadata names the issuer byte for byte and lies under its path (Discovery 4_1, RFC 8414 3_1)`() {
        for (issuer, path) in [
            ("https://id.example.com", "/.well-known/openid-configuration"),
            ("https://id.example.com/realms/a", "/realms/a/.well-known/openid-configuration"),
            ("https://id.example.com/realms/a", "/.well-known/oauth-authorization-server/realms/a"),
            ("https://id.example.com/app/", "/app/.well-known/openid-configuration"),
        ] {
            let answer = TestClient(provider: makeProvider(issuer: issuer)).send("GET", path)
            #expect(answer.status == 200)
            #expect(answer["issuer"] == issuer)
            #expect(answer["token_endpoint"]?.hasSuffix("/token") == true)
            #expect(answer["token_endpoint"]?.contains("//token") == false)
            #expect(answer.json?["code_challenge_methods_supported"]?.array == [.string("S256")])
        }
    }

    @Test func `a whole sign-in works under an issuer with a path`() throws {
        var client = TestClient(provider: makeProvider(issuer: "https://id.example.com/realms/a"))
        client.base = "/realms/a"
        let claims = try verifiedClaims(client.signIn()["id_token"], client)
        #expect(claims["iss"]?.string == "https://id.example.com/realms/a")
    }

    @Test func `a code is good once, and its reuse ends what it gave (RFC 6749 4_1_2)`() {
        let client = TestClient(provider: makeProvider())
        let code = parameter("code", client.authorize().header("Location"))
        let first = client.exchange(code)
        #expect(client.userinfo(first["access_token"]).status == 200)
        #expect(client.exchange(code).errorCode == "invalid_grant")
        #expect(client.userinfo(first["access_token"]).status == 401)
        #expect(client.refresh(first["refresh_token"]).errorCode == "invalid_grant")
    }

    @Test func `a code ends after a minute`() {
        var client = TestClient(provider: makeProvider())
        let code = parameter("code", client.authorize().header("Location"))
        client.now += 60_000
        #expect(client.exchange(code).errorCode == "invalid_grant")
    }

    @Test(arguments: [
        ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl"), ("code_verifier", nil), ("code_verifier", "short"),
        ("redirect_uri", callback + "/"), ("redirect_uri", nil), ("code", "code-unknown"),
    ])
    func `a code is bound to verifier and redirect_uri (RFC 7636 4_6, RFC 6749 4_1_3)`(name: String, value: String?) {
        let client = TestClient(provider: makeProvider())
        let code = parameter("code", client.authorize().header("Location"))
        let answer = client.exchange(code, changing: [name: value])
        #expect(answer.status == 400)
        #expect(answer.errorCode == "invalid_grant")
        #expect(client.exchange(code).errorCode == (name == "code" ? nil : "invalid_grant"))
    }

    @Test func `a verifier without a challenge is refused (RFC 9700 4_8_2)`() {
        let client = TestClient(provider: makeProvider())
        let back = client.authorize(changing: ["code_challenge": nil, "code_challenge_method": nil])
        #expect(client.exchange(parameter("code", back.header("Location"))).errorCode == "invalid_grant")
    }

    @Test func `a code of one client is refused to another`() {
        let provider = makeProvider()
        let code = parameter("code", TestClient(provider: provider).authorize().header("Location"))
        let other = TestClient(provider: provider, id: "other", secret: "another-secret")
        #expect(other.exchange(code).errorCode == "invalid_grant")
    }

    @Test func `Basic decodes both halves, post works, a public client needs PKCE (RFC 6749 2_3_1)`() {
        let provider = makeProvider()
        #expect(TestClient(provider: provider).signIn().status == 200)

        let client = TestClient(provider: provider)
        let code = parameter("code", client.authorize().header("Location"))
        let post = client.send(
            "POST", "/token",
            form: [
                ("grant_type", "authorization_code"), ("code", code ?? ""), ("redirect_uri", callback), ("code_verifier", verifier),
                ("client_id", "web"), ("client_secret", secret),
            ])
        #expect(post.status == 200)

        let native = TestClient(provider: provider, id: "native", secret: nil, redirectURI: "http://127.0.0.1:9/cb")
        #expect(native.signIn().status == 200)
        let back = native.authorize(changing: ["code_challenge": nil, "code_challenge_method": nil])
        #expect(parameter("error", back.header("Location")) == "invalid_request")
    }

    @Test(arguments: ["wrong", "a:b+c%20%/é", "", "a%3Ab%2Bc%20%25%2F%C3%A9"])
    func `a wrong secret is 401 invalid_client and names the scheme`(wrong: String) {
        let provider = makeProvider()
        let code = parameter("code", TestClient(provider: provider).authorize().header("Location"))
        let answer = TestClient(provider: provider, secret: wrong).exchange(code)
        #expect(answer.status == 401)
        #expect(answer.errorCode == "invalid_client")
        #expect(answer.header("WWW-Authenticate")?.hasPrefix("Basic") == true)
    }

    @Test func `an unencoded Basic secret with a plus or percent is not the secret`() {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let raw = "Basic " + Base64.encode(Array("web:\(secret)".utf8))
        let answer = client.send("POST", "/token", headers: [("Authorization", raw)], form: [("grant_type", "authorization_code")])
        #expect(answer.errorCode == "invalid_client")
    }

    @Test func `two ways of authentication, a doubled parameter, a secret in the address and a GET are refused`() {
        let client = TestClient(provider: makeProvider())
        let base: [(String, String)] = [("grant_type", "authorization_code"), ("code", "x")]
        #expect(
            client.send("POST", "/token", headers: client.basic, form: base + [("client_secret", secret)]).errorCode == "invalid_request")
        #expect(client.send("POST", "/token", headers: client.basic, form: base + [("code", "y")]).errorCode == "invalid_request")
        #expect(
            client.send("POST", "/token", query: form([("client_secret", secret)]), headers: client.basic, form: base).errorCode
                == "invalid_request")
        #expect(client.send("GET", "/token").status == 405)
        #expect(
            client.send("POST", "/token", headers: client.basic, form: [("grant_type", "password")]).errorCode == "unsupported_grant_type")
    }

    @Test(arguments: [
        ["redirect_uri": callback + "/x"], ["redirect_uri": "https://evil.example/"], ["client_id": "nobody"], ["client_id": nil],
        ["redirect_uri": "https://APP.example.com/_gateway/callback/oidc.demo"],
    ])
    func `an unregistered client or redirect_uri gets a page, never a redirect (RFC 6749 4_1_2_1)`(changes: [String: String?]) {
        let answer = TestClient(provider: makeProvider()).authorize(changing: changes)
        #expect(answer.status == 400)
        #expect(answer.header("Location") == nil)
    }

    @Test(arguments: [
        (["response_type": "token"], "unsupported_response_type"), (["response_type": "code id_token"], "unsupported_response_type"),
        (["code_challenge_method": "plain"], "invalid_request"), (["code_challenge_method": nil], "invalid_request"),
        (["code_challenge": "short"], "invalid_request"), (["scope": "profile"], "invalid_scope"),
        (["request": "x.y.z"], "request_not_supported"), (["prompt": "none login"], "invalid_request"),
    ])
    func `a request that is wrong otherwise goes back with error, state and iss`(changes: [String: String?], error: String) {
        let location = TestClient(provider: makeProvider()).authorize(changing: changes).header("Location")
        #expect(parameter("error", location) == error)
        #expect(parameter("state", location) == "st4te")
        #expect(parameter("iss", location) == "https://id.example.com")
        #expect(parameter("code", location) == nil)
    }

    @Test func `refresh tokens rotate, keep the claims that must stay, and reuse ends the family`() throws {
        var client = TestClient(provider: makeProvider())
        let first = client.signIn()
        client.now += 120_000
        let second = client.refresh(first["refresh_token"])
        #expect(second.status == 200)
        #expect(second["refresh_token"] != first["refresh_token"])
        #expect(second["access_token"] != first["access_token"])
        let before = try verifiedClaims(first["id_token"], client)
        let after = try verifiedClaims(second["id_token"], client)
        for claim in ["iss", "sub", "aud", "auth_time", "sid"] { #expect(after[claim] == before[claim], "\(claim)") }
        #expect(after["nonce"] == nil)
        #expect(after["iat"]?.integer == before["iat"]?.integer.map { $0 + 120 })

        #expect(client.refresh(first["refresh_token"]).errorCode == "invalid_grant")
        #expect(client.refresh(second["refresh_token"]).errorCode == "invalid_grant")
        #expect(client.userinfo(second["access_token"]).status == 401)
    }

    @Test func `an access token ends at its time and without one userinfo names no error (RFC 6750 3_1)`() {
        var client = TestClient(provider: makeProvider())
        let token = client.signIn()["access_token"]
        client.now += 300_000
        let late = client.userinfo(token)
        #expect(late.status == 401)
        #expect(late.header("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
        #expect(client.send("GET", "/userinfo").header("WWW-Authenticate") == "Bearer")
        #expect(client.send("GET", "/userinfo", query: "access_token=\(token ?? "")").status == 401)
    }

    @Test func `a revoked refresh token is gone with its family, an unknown one is 200 (RFC 7009 2_2)`() {
        let client = TestClient(provider: makeProvider())
        let tokens = client.signIn()
        #expect(client.send("POST", "/revoke", headers: client.basic, form: [("token", "unknown")]).status == 200)
        #expect(client.send("POST", "/revoke", form: [("token", tokens["refresh_token"] ?? "")]).status == 401)
        #expect(client.refresh(tokens["refresh_token"]).status == 200)
        let again = client.signIn()
        #expect(client.send("POST", "/revoke", headers: client.basic, form: [("token", again["refresh_token"] ?? "")]).status == 200)
        #expect(client.refresh(again["refresh_token"]).errorCode == "invalid_grant")
        #expect(client.userinfo(again["access_token"]).status == 401)
    }

    @Test func `keys rotate with the old one still published`() throws {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let before = client.signIn()["id_token"]
        provider.rotateKeys()
        let after = client.signIn()["id_token"]
        #expect(try UnverifiedJWS(compact: before ?? "").keyID != UnverifiedJWS(compact: after ?? "").keyID)
        _ = try verifiedClaims(before, client)
        _ = try verifiedClaims(after, client)
    }

    @Test(arguments: [JWSAlgorithm.es256, .es384, .ps256, .edDSA])
    func `other algorithms sign too`(algorithm: JWSAlgorithm) throws {
        var options = makeOptions()
        options.algorithm = algorithm
        options.signingKey = nil
        let provider = DevProvider(options)
        provider.automaticPerson = "bob"
        let client = TestClient(provider: provider)
        let token = client.signIn()["id_token"] ?? ""
        let set = try JWKSet(parsing: client.send("GET", "/jwks").json ?? .null)
        let claims = try UnverifiedJWS(compact: token).verified(with: set, secret: nil, allowed: [algorithm])
        #expect(claims["sub"]?.string == Person.bob.subject)
    }

    @Test func `refresh tokens can be tied to offline_access or left out`() {
        var options = makeOptions()
        options.refreshTokens = .withOfflineAccess
        let provider = DevProvider(options)
        provider.automaticPerson = "alice"
        let client = TestClient(provider: provider)
        #expect(client.signIn()["refresh_token"] != nil)
        let back = client.authorize(changing: ["scope": "openid"])
        #expect(client.exchange(parameter("code", back.header("Location")))["refresh_token"] == nil)
    }
}
