import Accounts
import Primitives
import Providers
import Testing
import TokenCrypto

@testable import SignIn

@Suite("What providers do in their own way") struct ProviderQuirkTests {
    private func settings(_ id: String, site: ProviderSettings.Site = .init(), clientID: String = "c") throws -> ProviderSettings {
        let preset = try #require(ProviderCatalogue.preset(for: id))
        return ProviderSettings(id: id, preset: preset, site: site, clientID: clientID, redirectBase: "https://a.example/_gateway")
    }

    private func api(_ json: String, status: Int = 200) -> ProviderAnswer {
        ProviderAnswer(status: status, contentType: "application/json", body: Array(json.utf8))
    }

    @Test(
        "Kakao: an address is verified only where it is valid as well",
        arguments: [
            (#""is_email_valid":true,"is_email_verified":true"#, true), (#""is_email_valid":false,"is_email_verified":true"#, false),
            (#""is_email_valid":true,"is_email_verified":false"#, false), (#""is_email_verified":true"#, nil),
            (#""is_email_valid":true"#, nil), (#""is_email_valid":"true","is_email_verified":true"#, nil),
        ] as [(String, Bool?)])
    func kakao(flags: String, verified: Bool?) throws {
        let json = #"{"id":1,"kakao_account":{"email":"a@b.example",\#(flags)}}"#
        let identity = try IdentityMapper(settings: settings("kakao.com")).identity(
            api: UserinfoResponse(oauth2: api(json)), emails: nil
        ).identity
        #expect(identity.emailVerified == verified)
    }

    @Test(
        "Slack: the person is workspace and user; one of them missing is nobody",
        arguments: [
            (#""https://slack.com/team_id":"T1""#, "T1:U1"), (#""https://slack.com/team_id":"""#, nil), (#""x":1"#, nil),
        ] as [(String, String?)])
    func slack(claim: String, subject: String?) throws {
        let token = try verified(settings("slack.com"), #"{"sub":"U1",\#(claim)}"#)
        let identity = try? IdentityMapper(settings: settings("slack.com")).identity(token, userinfo: nil).identity
        #expect(identity?.subject == subject)
    }

    @Test(
        "Auth0: with an organization configured the token must name it, by id or by name",
        arguments: [
            ("org_9ybs", #""org_id":"org_9ybs""#, true), ("org_9ybs", #""org_id":"org_other""#, false), ("org_9ybs", #""x":1"#, false),
            ("acme", #""org_name":"acme""#, true), ("acme", #""org_id":"acme""#, false), ("acme", #""org_name":"evil""#, false),
        ])
    func auth0(organization: String, claim: String, passes: Bool) throws {
        var settings = try settings("auth0", site: .init(issuer: "https://acme.eu.auth0.com/"))
        settings.set(parameter: "organization", to: organization)
        let token = try verified(settings, #"{"sub":"s",\#(claim)}"#)
        let identity = try? IdentityMapper(settings: settings).identity(token, userinfo: nil).identity
        #expect((identity != nil) == passes)
    }

    @Test func `Core 5.6.2: aggregated and distributed claims are neither followed nor kept, and vouch for nothing`() throws {
        let settings = try settings("oidc.acme", site: .init(issuer: "https://id.example"))
        let token = try verified(
            settings,
            #"{"sub":"s","email":"a@b.example","_claim_names":{"email_verified":"s1","groups":"s2"},"_claim_sources":{"s1":{"JWT":"eyJhbGciOiJub25lIn0.eyJlbWFpbF92ZXJpZmllZCI6dHJ1ZX0."},"s2":{"endpoint":"http://169.254.169.254/"}}}"#
        )
        let identity = try IdentityMapper(settings: settings).identity(token, userinfo: nil).identity
        #expect(identity.emailVerified == nil)
        #expect(identity.groups == [])
        #expect(Set(identity.claims.object?.keys.map { $0 } ?? []) == ["sub", "email"])
    }

    @Test(
        "groups come from nested, listed and namespaced claims",
        arguments: [
            ("realm_access.roles", #""realm_access":{"roles":["a","b"]}"#, ["a", "b"]),
            ("https://acme.example/roles", #""https://acme.example/roles":["a"]"#, ["a"]),
            ("https://acme.example/authz.roles", #""https://acme.example/authz":{"roles":["a"]}"#, ["a"]),
            ("orgs.name", #""orgs":[{"name":"a"},{"name":"b"},{"other":1}]"#, ["a", "b"]),
            ("orgs.0.roles", #""orgs":[{"roles":["a"]},{"roles":["b"]}]"#, ["a"]),
            ("roles", #""roles":{"b":{},"a":{}}"#, ["a", "b"]), ("roles", #""roles":"only""#, ["only"]), ("roles", #""roles":7"#, []),
            ("roles", #""roles":[1,null,"a",["b"]]"#, ["a"]), ("missing", #""roles":["a"]"#, []),
        ])
    func groups(path: String, claim: String, expected: [String]) throws {
        var settings = try settings("oidc.acme", site: .init(issuer: "https://id.example"))
        settings.claims.groups = path
        let token = try verified(settings, #"{"sub":"s",\#(claim)}"#)
        #expect(try IdentityMapper(settings: settings).identity(token, userinfo: nil).identity.groups == expected)
    }

    @Test(
        "Apple: the user field gives a name to show, and nothing else comes of it",
        arguments: [
            (#"{"name":{"firstName":"Jane","lastName":"Doe"},"email":"x@y.example"}"#, "Jane Doe"),
            (#"{"name":{"firstName":"Jane"}}"#, "Jane"), (#"{"name":{"firstName":"","lastName":"Doe"}}"#, "Doe"), (#"{"name":{}}"#, nil),
            (#"{"name":"Jane"}"#, nil), (#"{"name":{"firstName":7}}"#, nil), ("not json", nil), ("[]", nil),
            (#"{"name":{"firstName":"a\nb"}}"#, nil),
            (#"{"name":{"firstName":"a","firstName":"b"}}"#, nil),
            (#"{"name":{"firstName":""# + String(repeating: "x", count: 300) + #""}}"#, nil),
            (String(repeating: "[", count: 100), nil),
        ] as [(String, String?)])
    func apple(field: String, name: String?) {
        #expect(AppleUserField.name(field) == name)
    }

    @Test(
        "an error of a provider's own shape is an error, at the token endpoint and at userinfo",
        arguments: [
            (#"{"error":{"message":"secret text","type":"OAuthException","code":190,"fbtrace_id":"x"}}"#, 400, "OAuthException.190"),
            (#"{"ok":false,"error":"invalid_code"}"#, 200, "invalid_code"), (#"{"error":{}}"#, 200, "error"),
            (#"{"error":"invalid_grant","error_description":"secret text"}"#, 400, "invalid_grant"),
        ])
    func errors(body: String, status: Int, code: String) {
        #expect(throws: TokenResponse.Refusal.error(code: code)) { try TokenResponse(api(body, status: status), kind: .oauth2) }
        #expect(throws: UserinfoResponse.Refusal.error(status: status, code: code)) {
            try UserinfoResponse(oauth2: api(body, status: status))
        }
    }

    @Test(arguments: [(#"{"resultcode":"024","message":"x"}"#, "024"), (#"{"ok":false}"#, "not-ok")])
    func `a refusal with status 200 is not a person without an id`(body: String, code: String) {
        #expect(throws: UserinfoResponse.Refusal.error(status: 200, code: code)) { try UserinfoResponse(oauth2: api(body)) }
    }

    @Test func `an error code that is no plain word is not repeated`() {
        let refusal = #expect(throws: UserinfoResponse.Refusal.self) {
            try UserinfoResponse(oauth2: api(##"{"error":"<script>alert(1)</script>"}"##, status: 400))
        }
        #expect(refusal?.reason.contains("script") == false)
    }

    @Test(
        "RFC 8288: the next page is the link that says so",
        arguments: [
            (#"<https://a.example/x?page=2>; rel="next", <https://a.example/x?page=5>; rel="last""#, "https://a.example/x?page=2"),
            (#"<https://a.example/x?page=1>; rel="prev""#, nil), ("<https://a.example/2>;rel=next", "https://a.example/2"), ("", nil),
            ("rel=next", nil), (">x<; rel=next", nil),
        ] as [(String, String?)])
    func links(header: String, next: String?) {
        #expect(ProviderAnswer(status: 200, contentType: nil, body: [], link: header).nextPage == next)
    }

    @Test func `Cognito: its own logout lies beside its authorization endpoint and takes logout_uri alone`() throws {
        let settings = try settings("cognito", site: .init(issuer: "https://cognito-idp.eu-central-1.amazonaws.com/p"))
        let metadata = try ProviderMetadata(
            JSONValue(
                parsing:
                    #"{"issuer":"https://cognito-idp.eu-central-1.amazonaws.com/p","authorization_endpoint":"https://acme.auth.example/oauth2/authorize","token_endpoint":"https://acme.auth.example/oauth2/token","jwks_uri":"https://k.example/"}"#
            ),
            issuer: settings.issuer ?? "")
        var secret = settings
        secret.clientSecret = .init("secret-of-a-test")
        let endpoint = try #require(try ResolvedProvider(settings: secret, metadata: metadata).endSession)
        #expect(endpoint == "https://acme.auth.example/logout")
        let url = EndSessionRequest.url(
            endpoint: endpoint, idTokenHint: "hint", clientID: "c", postLogoutRedirectURI: "https://a.example/_gateway/logged-out",
            state: "s", logout: settings.habits.logout)
        #expect(url == "https://acme.auth.example/logout?client_id=c&logout_uri=https%3A%2F%2Fa.example%2F_gateway%2Flogged-out")
    }

    @Test(arguments: [("microsoft.com", "login_hint"), ("auth0", "sid")])
    func `the ID token stays out of the logout URL where the provider takes logout_hint`(id: String, claim: String) throws {
        func url(_ claims: String) throws -> String {
            let token = [#"{"alg":"RS256"}"#, claims, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
            return EndSessionRequest.url(
                endpoint: "https://id.example/logout?logout_hint=x", idTokenHint: token, clientID: "c",
                postLogoutRedirectURI: "https://app.example/out", state: "s", logout: try settings(id).habits.logout)
        }
        let rest = "client_id=c&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fout&state=s"
        #expect(try url("{\"\(claim)\":\"a b\"}") == "https://id.example/logout?logout_hint=a%20b&\(rest)")
        #expect(try url("{}").contains("id_token_hint="), "without the claim the provider would ask the user")
    }

    @Test func `Login.gov: no id_token_hint at the logout`() throws {
        let url = EndSessionRequest.url(
            endpoint: "https://x.example/logout", idTokenHint: "hint", clientID: "c", postLogoutRedirectURI: "https://a.example/",
            state: "s", logout: try settings("login.gov").habits.logout)
        #expect(url == "https://x.example/logout?client_id=c&post_logout_redirect_uri=https%3A%2F%2Fa.example%2F&state=s")
    }

    @Test func `Keycloak: an access token of another client, another person or with another key adds no roles`() throws {
        let settings = try settings("keycloak", site: .init(baseURL: "https://kc.example", realm: "r"))
        let verifier = try #require(IDTokenVerifier(settings: settings, algorithms: [.es256]))
        let key = SigningKey.generate(.es256, keyID: "k"), stranger = SigningKey.generate(.es256, keyID: "k")
        let keys = try JWKSet(parsing: .object(["keys": .array([key.publicJWK])]))
        let good: [String: JSONValue] = ["iss": .string("https://kc.example/realms/r"), "sub": .string("s"), "azp": .string("c")]
        func claims(_ change: [String: JSONValue], signedBy signer: SigningKey) -> JSONValue? {
            let token = signer.sign(payload: .object(good.merging(change) { $1 }))
            return verifier.accessTokenClaims(token, keys: keys, subject: "s")
        }
        #expect(claims([:], signedBy: key) != nil)
        #expect(claims([:], signedBy: stranger) == nil)
        for change in [["azp": "other"], ["sub": "other"], ["iss": "https://evil.example"]] {
            #expect(claims(change.mapValues(JSONValue.string), signedBy: key) == nil)
        }
        #expect(verifier.accessTokenClaims("opaque", keys: keys, subject: "s") == nil)
    }

    /// An ID token of the provider with these claims, verified.
    private func verified(_ settings: ProviderSettings, _ claims: String) throws -> VerifiedIDToken {
        let key = SigningKey.generate(.es256, keyID: "k")
        var members = try JSONValue(parsing: claims).object ?? [:]
        members["iss"] = settings.issuer.map(JSONValue.string)
        members["aud"] = .string(settings.clientID)
        members["iat"] = .integer(1_700_000_000)
        members["exp"] = .integer(1_700_000_300)
        let verifier = try #require(IDTokenVerifier(settings: settings, algorithms: [.es256]))
        return try verifier.verify(
            key.sign(payload: .object(members)), keys: JWKSet(parsing: .object(["keys": .array([key.publicJWK])])),
            expecting: .init(nonce: nil, accessToken: nil), now: 1_700_000_000_000)
    }
}
