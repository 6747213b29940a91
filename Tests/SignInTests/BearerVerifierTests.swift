import Providers
import SignIn
import Testing
import TokenCrypto

private enum Keys {
    static let own = SigningKey.generate(.es256, keyID: "k1")
    static let other = SigningKey.generate(.es256, keyID: "k1")
    static let set = (try? JWKSet(parsing: .object(["keys": .array([own.publicJWK])]))) ?? .empty
}

private let api = "https://api.example"

private func settings(_ change: (inout ProviderSettings) -> Void = { _ in }) -> ProviderSettings {
    oidcSettings {
        $0.accessTokens = .init(audience: api, introspects: true, scopes: ["read"])
        $0.additionalAudiences = ["acme-mobile"]
        change(&$0)
    }
}

private func verifier(_ algorithms: Set<JWSAlgorithm> = [.es256], _ change: (inout ProviderSettings) -> Void = { _ in }) throws
    -> BearerVerifier
{
    let settings = settings(change)
    return BearerVerifier(try #require(IDTokenVerifier(settings: settings, algorithms: algorithms)), settings: settings)
}

private func claims(_ change: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
        "iss": .string("https://id.example"), "aud": .string("acme-web"), "sub": .string("alice"), "exp": .integer(epoch / 1000 + 300),
        "iat": .integer(epoch / 1000),
    ]
    for (name, value) in change { claims[name] = value }
    return .object(claims)
}

@Suite struct BearerIDTokenTests {
    private func verify(_ change: [String: JSONValue?], header: [String: JSONValue] = [:], now: Int64 = epoch) throws -> VerifiedBearer {
        try verifier().verifyIDToken(Keys.own.sign(payload: claims(change), header: header), keys: Keys.set, now: now)
    }

    @Test(
        arguments: [
            [:], ["nonce": .string("anything")], ["iat": .integer(epoch / 1000 - 86_400)], ["auth_time": .integer(epoch / 1000 - 86_400)],
            ["aud": .string("acme-mobile")],
            ["aud": .array([.string("acme-web"), .string("acme-mobile")]), "azp": .string("acme-mobile")],
            ["at_hash": .string("AAAA")], ["typ": .string("ID")], ["token_use": .string("id")],
        ] as [[String: JSONValue?]])
    func `what an app of ours gets from the provider passes, however old`(change: [String: JSONValue?]) throws {
        let bearer = try self.verify(change)
        #expect(bearer.token.subject == "alice")
        #expect(bearer.kind == .idToken)
        #expect(bearer.expiresAt == epoch + 300_000)
    }

    @Test(
        arguments: [
            (["iss": .string("https://id.example/")], .check(.issuer)),
            (["aud": .string("other")], .check(.audience)),
            (["aud": .array([.string("acme-web"), .string("other")]), "azp": .string("acme-web")], .check(.audience)),
            (["aud": .array([.string("acme-web"), .string("acme-mobile")])], .check(.authorizedParty)),
            (["azp": .string("other")], .check(.authorizedParty)),
            (["exp": nil], .check(.time(.exp, nil))),
            (["exp": .integer(epoch / 1000 - 61)], .check(.time(.exp, .integer(epoch / 1000 - 61)))),
            (["exp": .string("1")], .check(.time(.exp, .string("1")))),
            (["iat": nil], .check(.time(.iat, nil))),
            (["iat": .integer(epoch / 1000 + 61)], .check(.time(.iat, .integer(epoch / 1000 + 61)))),
            (["nbf": .integer(epoch / 1000 + 61)], .check(.time(.nbf, .integer(epoch / 1000 + 61)))),
            (["sub": nil], .check(.subject)), (["sub": .integer(1)], .check(.subject)),
            (["events": .object([:])], .check(.wrongKind)), (["cnf": .object([:])], .check(.wrongKind)),
            (["scope": .string("openid")], .check(.wrongKind)), (["scp": .array([])], .check(.wrongKind)),
            (["typ": .string("Bearer")], .check(.wrongKind)), (["token_use": .string("access")], .check(.wrongKind)),
            (["auth_time": .string("x")], .check(.time(.authTime, .string("x")))),
        ] as [([String: JSONValue?], BearerRefusal)])
    func `Core 3_1_3_7 and RFC 8725 3_12: every check but the nonce's`(change: [String: JSONValue?], expected: BearerRefusal) throws {
        #expect(throws: expected) { try self.verify(change) }
    }

    @Test func `a signature of another key, an access token's type and a symmetric key for another audience are refused`() throws {
        let forged = Keys.other.sign(payload: claims())
        #expect(throws: BearerRefusal.check(.signature(.signatureInvalid))) {
            try verifier().verifyIDToken(forged, keys: Keys.set, now: epoch)
        }
        #expect(throws: BearerRefusal.check(.wrongKind)) { try self.verify([:], header: ["typ": .string("at+jwt")]) }
        let secret = Array(String(repeating: "s", count: 64).utf8)
        let symmetric = HMACSigner.sign(payload: claims(["aud": .string("acme-mobile")]), algorithm: .hs256, secret: secret, header: [:])
        #expect(throws: BearerRefusal.check(.audience)) {
            try verifier([.hs256]).verifyIDToken(symmetric, keys: .empty, now: epoch)
        }
    }

    @Test func `the skew is a minute, and the end stays the token's`() throws {
        let late = try self.verify([:], now: epoch + 359_000)
        #expect(late.expiresAt == epoch + 300_000)
        #expect(throws: BearerRefusal.check(.time(.exp, .integer(epoch / 1000 + 300), now: epoch + 360_000))) {
            try self.verify([:], now: epoch + 360_000)
        }
    }
}

@Suite struct BearerAccessTokenTests {
    private func verify(_ change: [String: JSONValue?], type: String? = "at+jwt", with verifier: BearerVerifier? = nil) throws
        -> VerifiedBearer
    {
        let payload = claims(["aud": .string(api), "scope": .string("read write"), "client_id": .string("any")].merging(change) { $1 })
        return try (verifier ?? SignInTests.verifier()).verifyAccessToken(
            Keys.own.sign(payload: payload, header: ["typ": type.map(JSONValue.string) ?? .null]), keys: Keys.set, now: epoch)
    }

    @Test func `RFC 9068 4: a token for this API passes`() throws {
        #expect(try self.verify([:]).kind == .accessToken)
        #expect(try self.verify([:], type: "application/AT+jwt").token.subject == "alice")
        #expect(try self.verify(["scope": nil, "scp": .array([.string("read")])]).kind == .accessToken)
        #expect(try self.verify(["aud": .array([.string("https://x.example"), .string(api)])]).kind == .accessToken)
    }

    @Test(
        arguments: [
            (["iss": .string("https://evil.example")], .check(.issuer)),
            (["aud": .string("acme-web")], .audience), (["aud": nil], .audience), (["aud": .string(api + "/")], .audience),
            (["exp": nil], .check(.time(.exp, nil))),
            (["exp": .integer(epoch / 1000 - 61)], .check(.time(.exp, .integer(epoch / 1000 - 61)))),
            (["sub": nil], .check(.subject)), (["scope": .string("write")], .scope), (["scope": nil], .scope),
            (["cnf": .object(["jkt": .string("x")])], .senderConstrained),
        ] as [([String: JSONValue?], BearerRefusal)])
    func `RFC 9068 4 and RFC 9449 7_1: what fails a check is refused`(change: [String: JSONValue?], expected: BearerRefusal) throws {
        #expect(throws: expected) { try self.verify(change) }
    }

    @Test(arguments: ["JWT", nil, "dpop+jwt"])
    func `RFC 9068 4: another typ is no access token`(type: String?) throws {
        #expect(throws: BearerRefusal.unprovenAccessToken) { try self.verify([:], type: type) }
    }

    @Test func `without a configured audience none is taken, and the client secret is no key`() throws {
        #expect(throws: BearerRefusal.unprovenAccessToken) { try self.verify([:], with: verifier { $0.accessTokens = nil }) }
        let secret = Array(String(repeating: "s", count: 64).utf8)
        let token = HMACSigner.sign(
            payload: claims(["aud": .string(api), "scope": .string("read")]), algorithm: .hs256, secret: secret,
            header: ["typ": .string("at+jwt")])
        #expect(throws: BearerRefusal.check(.signature(.algorithmNotAllowed))) {
            try verifier([.hs256, .es256]).verifyAccessToken(token, keys: Keys.set, now: epoch)
        }
    }
}

@Suite struct IntrospectionTests {
    private func verify(_ change: [String: JSONValue?], _ settings: ProviderSettings = SignInTests.settings()) throws -> VerifiedBearer {
        var members: [String: JSONValue] = [
            "active": .bool(true), "aud": .string(api), "sub": .string("alice"), "scope": .string("read"), "username": .string("al"),
        ]
        for (name, value) in change { members[name] = value }
        return try BearerVerifier.verifyIntrospection(.object(members), settings: settings, issuer: "https://id.example", now: epoch)
    }

    @Test func `RFC 7662 2_2: an active token for this API, or issued to this client`() throws {
        #expect(try self.verify(["exp": .integer(epoch / 1000 + 5)]).expiresAt == epoch + 5_000)
        #expect(try self.verify(["aud": nil, "client_id": .string("acme-web")]).token.issuer == "https://id.example")
        #expect(try self.verify([:]).token.claims["preferred_username"] == .string("al"))
    }

    @Test(
        arguments: [
            (["active": .bool(false)], .inactive), (["active": .string("true")], .inactive), (["active": nil], .inactive),
            (["aud": .string("other")], .audience), (["aud": nil], .audience), (["aud": nil, "client_id": .string("other")], .audience),
            (["iss": .string("https://evil.example")], .check(.issuer)), (["iss": .integer(1)], .check(.issuer)),
            (["exp": .integer(epoch / 1000)], .lateExpiry(.integer(epoch / 1000))),
            (["exp": .string("x")], .lateExpiry(.string("x"))),
            (["sub": nil], .check(.subject)), (["scope": .string("")], .scope),
            (["cnf": .object([:])], .senderConstrained), (["token_type": .string("DPoP")], .senderConstrained),
        ] as [([String: JSONValue?], BearerRefusal)])
    func `RFC 7662 4: what is not a clear yes for us is no`(change: [String: JSONValue?], expected: BearerRefusal) throws {
        #expect(throws: expected) { try self.verify(change) }
    }

    @Test func `it is off until it is configured`() throws {
        #expect(throws: BearerRefusal.unprovenAccessToken) {
            try self.verify([:], SignInTests.settings { $0.accessTokens = .init(audience: api) })
        }
    }
}

@Suite struct BearerShapeTests {
    @Test(arguments: ["", " ", "a b", "a,b", "a\"b", "tök", "a\u{0}b", String(repeating: "a", count: 16_385)])
    func `RFC 6750 2_1: what is no b68token is none`(text: String) { #expect(BearerShape(text) == nil) }

    @Test func `the form is read, not believed`() throws {
        #expect(BearerShape("opaque~token+/==")?.form == .opaque)
        #expect(BearerShape("a.b.c")?.form == .opaque)
        let idToken = try #require(BearerShape(Keys.own.sign(payload: claims())))
        #expect(idToken.form == .idToken)
        #expect(idToken.issuer == "https://id.example")
        #expect(BearerShape(Keys.own.sign(payload: claims(), header: ["typ": .string("AT+JWT")]))?.form == .accessToken)
        #expect(BearerShape(Keys.own.sign(payload: claims(["scope": .string("x")])))?.form == .accessToken)
    }

    @Test func `seeds G2: the raw nonce, or its SHA-256 as hexadecimal or base64url`() {
        // echo -n abc | sha256sum
        let hexadecimal = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(RawNonce.matches("abc", claim: "abc"))
        #expect(RawNonce.matches("abc", claim: hexadecimal))
        #expect(RawNonce.matches("abc", claim: "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"))
        for claim in [nil, "", "abcd", hexadecimal.uppercased(), "ABC"] { #expect(!RawNonce.matches("abc", claim: claim)) }
        #expect(!RawNonce.matches("", claim: ""))
    }
}
