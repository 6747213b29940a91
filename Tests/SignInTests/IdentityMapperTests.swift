import Accounts
import Providers
import Testing
import TokenCrypto

@testable import SignIn

@Suite struct UserinfoResponseTests {
    private let key = SigningKey.generate(.es256, keyID: "k1")

    private func read(_ body: String, status: Int = 200, type: String? = "application/json") throws -> UserinfoResponse {
        let verifier = try #require(IDTokenVerifier(settings: oidcSettings(), algorithms: [.es256]))
        let keys = try JWKSet(parsing: .object(["keys": .array([self.key.publicJWK])]))
        return try UserinfoResponse(
            openID: ProviderAnswer(status: status, contentType: type, body: Array(body.utf8)), subject: "alice", verifier: verifier,
            keys: keys)
    }

    @Test(arguments: [
        #"{"email":"a@x"}"#, #"{"sub":"bob"}"#, #"{"sub":"Alice"}"#, #"{"sub":"alice "}"#, #"{"sub":["alice"]}"#, #"{"sub":null}"#,
    ])
    func `Core 5.3.2: claims about another sub are never used`(body: String) {
        #expect(throws: UserinfoResponse.Refusal.otherSubject) { try self.read(body) }
    }

    @Test func `an answer with another status, type or shape is refused`() throws {
        #expect(try self.read(#"{"sub":"alice","email":"a@x"}"#).claims["email"] == .string("a@x"))
        #expect(throws: UserinfoResponse.Refusal.status(401)) { try self.read(#"{"sub":"alice"}"#, status: 401) }
        #expect(throws: UserinfoResponse.Refusal.self) { try self.read(#"{"sub":"alice"}"#, type: "text/html") }
        #expect(throws: UserinfoResponse.Refusal.self) { try self.read(#"{"sub":"alice","sub":"alice"}"#) }
        #expect(throws: UserinfoResponse.Refusal.self) { try self.read(#"["alice"]"#) }
    }

    @Test func `Core 5.3.2: signed userinfo is verified: signature, iss, aud, sub`() throws {
        let claims: [String: JSONValue] = ["iss": .string("https://id.example"), "aud": .string("acme-web"), "sub": .string("alice")]
        func signed(_ change: [String: JSONValue]) -> String { self.key.sign(payload: .object(claims.merging(change) { $1 })) }
        _ = try self.read(signed([:]), type: "application/jwt")
        #expect(throws: UserinfoResponse.Refusal.signature(.issuer)) {
            try self.read(signed(["iss": .string("x")]), type: "application/jwt")
        }
        #expect(throws: UserinfoResponse.Refusal.signature(.audience)) {
            try self.read(signed(["aud": .string("x")]), type: "application/jwt")
        }
        #expect(throws: UserinfoResponse.Refusal.otherSubject) { try self.read(signed(["sub": .string("bob")]), type: "application/jwt") }
        let other = SigningKey.generate(.es256, keyID: "k1").sign(payload: .object(claims))
        #expect(throws: UserinfoResponse.Refusal.signature(.signature(.signatureInvalid))) { try self.read(other, type: "application/jwt") }
    }
}

@Suite struct IdentityMapperTests {
    private let key = SigningKey.generate(.es256, keyID: "k1")

    private func token(_ claims: [String: JSONValue]) throws -> VerifiedIDToken {
        var all: [String: JSONValue] = [
            "iss": .string("https://id.example"), "aud": .string("acme-web"), "sub": .string("alice"), "exp": .integer(epoch / 1000 + 300),
            "iat": .integer(epoch / 1000),
        ]
        all.merge(claims) { $1 }
        let verifier = try #require(IDTokenVerifier(settings: oidcSettings(), algorithms: [.es256]))
        return try verifier.verify(
            self.key.sign(payload: .object(all)), keys: JWKSet(parsing: .object(["keys": .array([self.key.publicJWK])])),
            expecting: .init(nonce: nil, accessToken: nil), now: epoch)
    }

    private func identity(
        _ claims: String, userinfo: String? = nil, _ change: (inout ProviderSettings) -> Void = { _ in }
    ) throws -> ProviderIdentity {
        let token = try self.token(json(claims).object ?? [:])
        let answer = try userinfo.map {
            try UserinfoResponse(oauth2: ProviderAnswer(status: 200, contentType: "application/json", body: Array($0.utf8)))
        }
        return try IdentityMapper(settings: oidcSettings(change)).identity(token, userinfo: answer).identity
    }

    @Test func `claims become an identity, spent ones and nulls are not kept`() throws {
        let identity = try self.identity(
            #"{"email":"a@x.example","email_verified":true,"preferred_username":"al","name":"Alice","picture":"https://p","locale":"de","groups":["g1","g2","g1"],"acr":"gold","nonce":"n","x":null}"#
        )
        #expect(
            identity
                == ProviderIdentity(
                    provider: "oidc.acme", issuer: "https://id.example", subject: "alice", email: "a@x.example", emailVerified: true,
                    username: "al",
                    name: "Alice", picture: "https://p", locale: "de", groups: ["g1", "g2"],
                    claims: try json(
                        #"{"sub":"alice","email":"a@x.example","email_verified":true,"preferred_username":"al","name":"Alice","picture":"https://p","locale":"de","groups":["g1","g2","g1"],"acr":"gold"}"#
                    )))
    }

    @Test(
        arguments: [("true", true), ("false", false), (#""true""#, nil), (#""1""#, nil), ("1", nil), ("null", nil), ("[true]", nil)]
            as [(String, Bool?)])
    func `an address is verified by the boolean true alone`(value: String, isVerified: Bool?) throws {
        #expect(try self.identity(#"{"email":"a@x","email_verified":\#(value)}"#).emailVerified == isVerified)
    }

    @Test(
        arguments: [(#""true""#, true), (#""1""#, true), ("1", true), (#""false""#, false), (#""yes""#, nil), (#""TRUE""#, nil)]
            as [(String, Bool?)])
    func `providers known to send strings are read loosely`(value: String, isVerified: Bool?) throws {
        #expect(
            try self.identity(#"{"email":"a@x","email_verified":\#(value)}"#) { $0.readsLooseBooleans = true }.emailVerified == isVerified)
    }

    @Test func `trustEmail vouches, neverVouched never does, no address is never verified`() throws {
        #expect(try self.identity(#"{"email":"a@x"}"#) { $0.trustEmail = true }.emailVerified == true)
        #expect(try self.identity(#"{"email":"a@x","email_verified":true}"#) { $0.email = .neverVouched }.emailVerified == nil)
        #expect(try self.identity(#"{"email_verified":true}"#) { $0.trustEmail = true }.emailVerified == nil)
    }

    @Test func `one source's verification never vouches for the other's address`() throws {
        let claims = #"{"email":"a@x","email_verified":true}"#
        let other = try self.identity(claims, userinfo: #"{"email":"victim@x"}"#)
        #expect(other.email == "victim@x")
        #expect(other.emailVerified == nil)
        let same = try self.identity(claims, userinfo: #"{"email":"a@x"}"#)
        #expect(same.emailVerified == true)
        let alone = try self.identity(#"{"email":"a@x"}"#, userinfo: #"{"email_verified":true}"#)
        #expect(alone.email == "a@x")
        #expect(alone.emailVerified == nil)
        #expect(try self.identity(claims, userinfo: #"{"email":"b@x","email_verified":false}"#).emailVerified == false)
    }

    @Test func `userinfo never changes who somebody is or how they signed in`() throws {
        let identity = try self.identity(
            #"{"acr":"bronze","oid":"o1"}"#,
            userinfo: #"{"sub":"mallory","iss":"https://evil","acr":"gold","auth_time":1,"oid":"o2","groups":["g"]}"#
        ) { $0.claims.subject = "oid" }
        #expect(identity.issuer == "https://id.example")
        #expect(identity.subject == "o1")
        #expect(identity.claims["acr"] == .string("bronze"))
        #expect(identity.claims["auth_time"] == nil)
        #expect(identity.groups == ["g"])
    }

    @Test(arguments: ["a", "@x", "a@", "a@b@c", "a b@x", "a,b@x", "a\\r\\n@x", ""])
    func `what is no address is none`(text: String) throws {
        let identity = try self.identity(#"{"email":"\#(text)","email_verified":true}"#)
        #expect(identity.email == nil)
        #expect(identity.emailVerified == nil)
    }

    @Test(
        arguments: [
            ("example.com", "example.com", true), ("Example.COM", "example.com", true), ("evil.example", "example.com", false),
            (nil, "example.com", false),
            ("any.example", "*", true), (nil, "*", false), ("", "*", false), (nil, "", true),
        ] as [(String?, String, Bool)])
    func `google: the hd parameter is a hint to the browser, the hd claim is what counts`(claim: String?, configured: String, passes: Bool)
        throws
    {
        let member = claim.map { #""hd":"\#($0)""# } ?? ""
        func sign() throws -> ProviderIdentity {
            // Userinfo is not signed: its hd counts for nothing.
            try self.identity("{\(member)}", userinfo: #"{"hd":"example.com"}"#) {
                $0.enforcedParameters = ProviderCatalogue.preset(for: "google.com")?.enforcedParameters ?? []
                $0.set(parameter: "hd", to: configured)
            }
        }
        if passes {
            _ = try sign()
        } else {
            #expect(throws: IdentityMapper.Refusal.requiredClaim("hd")) { try sign() }
        }
    }

    @Test(arguments: [
        (#"["a",1,null,"b",""]"#, ["a", "b"]), (#""one""#, ["one"]), (#"{"admin":{},"dev":{}}"#, ["admin", "dev"]), ("7", []), ("null", []),
    ])
    func `groups are texts of a list, one text, or the names of an object`(groups: String, expected: [String]) throws {
        #expect(try self.identity(#"{"groups":\#(groups)}"#).groups == expected)
    }

    @Test func `groups may be nested`() throws {
        #expect(try self.identity(#"{"realm_access":{"roles":["r"]}}"#) { $0.claims.groups = "realm_access.roles" }.groups == ["r"])
    }

    // Plain OAuth 2.0.

    private func github(_ user: String, emails: String?) throws -> ProviderIdentity {
        let settings = oauth2Settings()
        let mapper = IdentityMapper(settings: settings)
        let api = try UserinfoResponse(oauth2: ProviderAnswer(status: 200, contentType: "application/json", body: Array(user.utf8)))
        guard case .fromEndpoint(let endpoint) = settings.email else { return try mapper.identity(api: api, emails: nil).identity }
        return try mapper.identity(api: api, emails: try emails.map { mapper.listedEmails(try json($0), endpoint: endpoint) }).identity
    }

    private let user =
        #"{"id":583231,"login":"octocat","name":"The Octocat","avatar_url":"https://a","html_url":"https://h","email":"public@x","site_admin":false}"#

    @Test func `github: the number is the person, the primary address counts with its own verified`() throws {
        let identity = try self.github(
            self.user,
            emails: #"[{"email":"old@x","primary":false,"verified":true},{"email":"octo@x","primary":true,"verified":true},{"bad":1}]"#)
        #expect(identity.subject == "583231")
        #expect(identity.issuer == "https://github.com")
        #expect(identity.email == "octo@x")
        #expect(identity.emailVerified == true)
        #expect(identity.username == "octocat")
        #expect(identity.picture == "https://a")
        #expect(identity.claims["html_url"] == nil)
        #expect(identity.claims["site_admin"] == .bool(false))
        #expect(try self.github(self.user, emails: #"[{"email":"octo@x","primary":true,"verified":false}]"#).emailVerified == false)
    }

    @Test func `an API's object, which users may edit, says nothing about the sign-in`() throws {
        let identity = try self.github(#"{"id":1,"login":"x","acr":"phr","amr":["mfa"],"team":"t"}"#, emails: nil)
        #expect(identity.claims["acr"] == nil && identity.claims["amr"] == nil && identity.claims["team"] == .string("t"))
    }

    @Test func `github: without a primary address there is none, without the list the public one is unverified`() throws {
        #expect(try self.github(self.user, emails: #"[{"email":"old@x","primary":false,"verified":true}]"#).email == nil)
        let publicOnly = try self.github(self.user, emails: nil)
        #expect(publicOnly.email == "public@x")
        #expect(publicOnly.emailVerified == nil)
    }

    @Test(arguments: [
        #"{"login":"x"}"#, #"{"id":null}"#, #"{"id":1.5}"#, #"{"id":true}"#, #"{"id":""}"#, #"{"id":["1"]}"#, #"{"id":"a\u0000"}"#,
    ])
    func `an answer without a usable subject is refused`(user: String) {
        #expect(throws: IdentityMapper.Refusal.subject(path: "id")) { try self.github(user, emails: nil) }
    }
}
