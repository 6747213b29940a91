import Accounts
import Primitives
import Providers
import Sessions
import SignIn
import Testing
import TokenCrypto

/// Two providers' keys, made once: key generation is slow.
private enum Keys {
    static let es256 = SigningKey.generate(.es256, keyID: "k1")
    static let es512 = SigningKey.generate(.es512, keyID: "k5")
    static let other = SigningKey.generate(.es256, keyID: "k1")
    static let set = Keys.makeSet([es256, es512])

    static func makeSet(_ keys: [SigningKey]) -> JWKSet {
        (try? JWKSet(parsing: .object(["keys": .array(keys.map(\.publicJWK))]))) ?? .empty
    }
}

@Suite struct IDTokenVerifierTests {
    private static let secret = String(repeating: "s", count: 64)

    private func claims(_ change: [String: JSONValue?] = [:]) -> JSONValue {
        var claims: [String: JSONValue] = [
            "iss": .string("https://id.example"), "aud": .string("acme-web"), "sub": .string("alice"), "exp": .integer(epoch / 1000 + 300),
            "iat": .integer(epoch / 1000), "nonce": .string("n-1"), "sid": .string("s-1"), "auth_time": .integer(epoch / 1000 - 30),
        ]
        for (name, value) in change { claims[name] = value }
        return .object(claims)
    }

    private func verifier(_ algorithms: Set<JWSAlgorithm> = [.es256, .es512], _ change: (inout ProviderSettings) -> Void = { _ in }) throws
        -> IDTokenVerifier
    {
        try #require(IDTokenVerifier(settings: oidcSettings(change), algorithms: algorithms))
    }

    private func verify(
        _ compact: String, with verifier: IDTokenVerifier? = nil, keys: JWKSet = Keys.set, acr: [String] = [], maxAge: Int64? = nil,
        accessToken: String? = "at", nonce: String? = "n-1", now: Int64 = epoch
    ) throws -> VerifiedIDToken {
        try (verifier ?? self.verifier()).verify(
            compact, keys: keys,
            expecting: .init(nonce: nonce, requestedACR: acr, maxAge: maxAge.flatMap(MaxAge.init(seconds:)), accessToken: accessToken),
            now: now)
    }

    private func refusal(_ change: [String: JSONValue?], acr: [String] = [], maxAge: Int64? = nil) throws -> IDTokenRefusal? {
        let verifier = try self.verifier()
        return #expect(throws: IDTokenRefusal.self) {
            try self.verify(Keys.es256.sign(payload: self.claims(change)), with: verifier, acr: acr, maxAge: maxAge)
        }
    }

    @Test func `a token that is right in everything passes`() throws {
        let token = try self.verify(Keys.es256.sign(payload: self.claims()))
        #expect(token.subject == "alice")
        #expect(token.issuer == "https://id.example")
        #expect(token.sessionID == "s-1")
        #expect(token.authTime == epoch - 30_000)
    }

    @Test(
        arguments: [
            .string("https://id.example1"), .string("https://id.example/"), .string("https://ID.example"), nil,
            .array([.string("https://id.example")]),
            .integer(1), .string(""),
        ] as [JSONValue?])
    func `Core 3.1.3.7 step 2: iss is the issuer byte for byte`(issuer: JSONValue?) throws {
        #expect(try self.refusal(["iss": issuer]) == .issuer)
    }

    @Test(
        arguments: [
            nil, .string("other"), .string("Acme-Web"), .array([]), .array([.string("other")]),
            .array([.string("acme-web"), .string("other")]),
            .array([.string("acme-web"), .integer(1)]), .object([:]), .null,
        ] as [JSONValue?])
    func `Core 3.1.3.7 step 3: aud is this client and nobody untrusted`(audience: JSONValue?) throws {
        #expect(try self.refusal(["aud": audience, "azp": .string("acme-web")]) == .audience)
    }

    @Test func `Core 3.1.3.7 steps 4 and 5: azp is this client, and there when audiences are several`() throws {
        #expect(try self.refusal(["azp": .string("other")]) == .authorizedParty)
        #expect(try self.refusal(["azp": .array([.string("acme-web")])]) == .authorizedParty)
        let verifier = try self.verifier { $0.additionalAudiences = ["acme-api"] }
        let both: JSONValue = .array([.string("acme-web"), .string("acme-api")])
        #expect(throws: IDTokenRefusal.authorizedParty) {
            try self.verify(Keys.es256.sign(payload: self.claims(["aud": both])), with: verifier)
        }
        _ = try self.verify(Keys.es256.sign(payload: self.claims(["aud": both, "azp": .string("acme-web")])), with: verifier)
        #expect(throws: IDTokenRefusal.audience) {
            try self.verify(Keys.es256.sign(payload: self.claims(["aud": .string("acme-api")])), with: verifier)
        }
    }

    @Test func `Core 3.1.3.7 step 6: another provider's key, a flipped bit and an unknown key are refused`() throws {
        #expect(throws: IDTokenRefusal.signature(.signatureInvalid)) { try self.verify(Keys.other.sign(payload: self.claims())) }
        let parts = Keys.es256.sign(payload: self.claims()).split(separator: ".")
        let mallory = Base64URL.encode(Array(self.claims(["sub": .string("mallory")]).serialized().utf8))
        #expect(throws: IDTokenRefusal.signature(.signatureInvalid)) { try self.verify("\(parts[0]).\(mallory).\(parts[2])") }
        let unknown = SigningKey.generate(.es256, keyID: "k9")
        #expect(throws: IDTokenRefusal.signature(.unknownKeyID)) { try self.verify(unknown.sign(payload: self.claims())) }
    }

    @Test func `Core 3.1.3.7 step 7: alg comes from the configuration, never from the token`() throws {
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.encode(Array(self.claims().serialized().utf8)) + "."
        #expect(throws: IDTokenRefusal.signature(.algorithmNotAllowed)) { try self.verify(none) }
        let verifier = try self.verifier([.rs256])
        #expect(throws: IDTokenRefusal.signature(.algorithmNotAllowed)) {
            try self.verify(Keys.es256.sign(payload: self.claims()), with: verifier)
        }
        let keyAsSecret = Array(Keys.es256.publicJWK.serialized().utf8)
        #expect(throws: IDTokenRefusal.signature(.algorithmNotAllowed)) {
            try self.verify(HMACSigner.sign(payload: self.claims(), algorithm: .hs256, secret: keyAsSecret))
        }
    }

    @Test func `Core 3.1.3.7 step 8: HS256 is the client secret, only when named, and for one audience`() throws {
        let secret = Array(Self.secret.utf8)
        let verifier = try self.verifier([.hs256]) { $0.additionalAudiences = ["acme-api"] }
        _ = try self.verify(HMACSigner.sign(payload: self.claims(), algorithm: .hs256, secret: secret), with: verifier, keys: .empty)
        #expect(throws: IDTokenRefusal.signature(.signatureInvalid)) {
            try self.verify(HMACSigner.sign(payload: self.claims(), algorithm: .hs256, secret: secret + [1]), with: verifier, keys: .empty)
        }
        let both: [String: JSONValue?] = ["aud": .array([.string("acme-web"), .string("acme-api")]), "azp": .string("acme-web")]
        #expect(throws: IDTokenRefusal.audience) {
            try self.verify(HMACSigner.sign(payload: self.claims(both), algorithm: .hs256, secret: secret), with: verifier, keys: .empty)
        }
        #expect(throws: IDTokenRefusal.signature(.algorithmNotAllowed)) {
            try self.verify(HMACSigner.sign(payload: self.claims(), algorithm: .hs256, secret: secret))
        }
    }

    @Test(
        arguments: [
            nil, .integer(epoch / 1000 - 360), .integer(epoch / 1000 - 60), .string("\(epoch / 1000 + 300)"), .number(1e300), .integer(-1),
            .null, .integer(.max),
            .bool(true),
        ] as [JSONValue?])
    func `Core 3.1.3.7 step 9: exp is a time not past`(expiry: JSONValue?) throws {
        #expect(try self.refusal(["exp": expiry]) == .time(.exp, expiry))
    }

    @Test(
        arguments: [
            nil, .integer(epoch / 1000 - 604_800), .integer(epoch / 1000 - 661), .integer(epoch / 1000 + 61), .string("1"), .number(-0.5),
        ] as [JSONValue?])
    func `Core 3.1.3.7 step 10: iat is recent`(issued: JSONValue?) throws {
        #expect(try self.refusal(["iat": issued]) == .time(.iat, issued))
    }

    @Test(
        arguments: [
            (
                ["exp": .integer(epoch / 1000 - 634)],
                "`exp` is 2025-12-31T23:49:26Z, 634 s ago; the gateway's clock or the provider's may be wrong"
            ),
            (
                ["iat": .integer(epoch / 1000 + 61)],
                "`iat` is 2026-01-01T00:01:01Z, 61 s in the future; the gateway's clock or the provider's may be wrong"
            ),
            (["nbf": .string("1")], "`nbf` is not a NumericDate"), (["exp": nil], "`exp` is missing"),
            (["auth_time": .integer(epoch / 1000 - 121)], "`auth_time` is 2025-12-31T23:57:59Z, 121 s ago, longer than max_age"),
        ] as [([String: JSONValue?], String)])
    func `a time that fails its check is reported with its distance from the clock`(change: [String: JSONValue?], reason: String) throws {
        let refusal = try self.refusal(change, maxAge: 60)
        #expect(refusal?.reason == reason)
        #expect(refusal?.signInError(provider: "x").timeClaim != nil)
    }

    @Test func `a minute of clock skew passes, fractions of seconds too`() throws {
        for change in [
            ["exp": .integer(epoch / 1000 - 59)], ["iat": .integer(epoch / 1000 + 60)], ["iat": .number(Double(epoch) / 1000 - 0.5)],
            ["nbf": .integer(epoch / 1000 + 60)],
        ] as [[String: JSONValue?]] {
            _ = try self.verify(Keys.es256.sign(payload: self.claims(change)))
        }
        #expect(try self.refusal(["nbf": .integer(epoch / 1000 + 61)]) == .time(.nbf, .integer(epoch / 1000 + 61)))
        #expect(try self.refusal(["nbf": .string("1")]) == .time(.nbf, .string("1")))
    }

    @Test(arguments: [nil, .string("n-11"), .string(""), .string("N-1"), .integer(1), .null] as [JSONValue?])
    func `Core 3.1.3.7 step 11: nonce is the sign-in's`(nonce: JSONValue?) throws { #expect(try self.refusal(["nonce": nonce]) == .nonce) }

    @Test func `a provider known to leave nonce out may, but not send another`() throws {
        let verifier = try self.verifier([.es256]) { $0.nonce = .ifPresent }
        _ = try self.verify(Keys.es256.sign(payload: self.claims(["nonce": nil])), with: verifier)
        #expect(throws: IDTokenRefusal.nonce) {
            try self.verify(Keys.es256.sign(payload: self.claims(["nonce": .string("x")])), with: verifier)
        }
    }

    @Test(arguments: [nil, .string("bronze"), .array([.string("gold")])] as [JSONValue?])
    func `Core 3.1.3.7 step 12: acr is among the requested ones`(acr: JSONValue?) throws {
        #expect(try self.refusal(["acr": acr], acr: ["gold", "silver"]) == .authenticationContext)
        _ = try self.verify(Keys.es256.sign(payload: self.claims(["acr": .string("silver")])), acr: ["gold", "silver"])
    }

    @Test(arguments: [nil, .integer(epoch / 1000 - 121), .string("1"), .integer(epoch / 1000 + 61)] as [JSONValue?])
    func `Core 3.1.3.7 step 13: auth_time is there and within max_age`(authTime: JSONValue?) throws {
        #expect(try self.refusal(["auth_time": authTime], maxAge: 60) == .time(.authTime, authTime))
        _ = try self.verify(Keys.es256.sign(payload: self.claims(["auth_time": .integer(epoch / 1000 - 120)])), maxAge: 60)
    }

    @Test(arguments: [0, 1, MaxAge.longest])
    func `The largest max_age does not overflow the check of auth_time`(seconds: Int64) throws {
        for authTime in [0, epoch / 1000 - MaxAge.longest - 61, epoch / 1000 - MaxAge.longest - 60, epoch / 1000 + 60, .max, .min] {
            let isRecent = authTime <= epoch / 1000 + 60 && authTime >= epoch / 1000 - seconds - 60
            let signed = Keys.es256.sign(payload: self.claims(["auth_time": .integer(authTime)]))
            let isTaken = (try? self.verify(signed, maxAge: seconds)) != nil
            #expect(isTaken == isRecent, "\(authTime)")
        }
    }

    @Test(arguments: [nil, .string(""), .string(String(repeating: "a", count: 256)), .string("ä"), .integer(7), .null] as [JSONValue?])
    func `Core 2: sub is 1 to 255 ASCII characters`(subject: JSONValue?) throws { #expect(try self.refusal(["sub": subject]) == .subject) }

    @Test(arguments: [
        (Keys.es256, SHA2.sha256(Array("at".utf8))), (Keys.es512, SHA2.sha512(Array("at".utf8))),
    ])
    func `Core 3.1.3.8: at_hash is the left half of the access token's hash`(key: SigningKey, hash: [UInt8]) throws {
        let right = Base64URL.encode(Array(hash.prefix(hash.count / 2)))
        let signed = key.sign(payload: self.claims(["at_hash": .string(right)]))
        _ = try self.verify(signed)
        #expect(throws: IDTokenRefusal.accessTokenHash) { try self.verify(signed, accessToken: "stolen") }
        for wrong: JSONValue in [.string(right + "="), .string(""), .integer(1), .string(Base64URL.encode(hash))] {
            #expect(throws: IDTokenRefusal.accessTokenHash) { try self.verify(key.sign(payload: self.claims(["at_hash": wrong]))) }
        }
    }

    @Test(arguments: ["logout+jwt", "at+jwt", "dpop+jwt", ""])
    func `RFC 8725 3.11 and 3.12: another kind of token is no ID token`(type: String) {
        let signed = Keys.es256.sign(payload: self.claims(), header: ["typ": .string(type)])
        #expect(throws: IDTokenRefusal.wrongKind) { try self.verify(signed) }
        let logout = Keys.es256.sign(
            payload: self.claims(["events": .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])]))
        #expect(throws: IDTokenRefusal.wrongKind) { try self.verify(logout) }
    }

    @Test func `CVE-2024-33531: an enc header, a missing alg and crit are refused`() {
        for header: [String: JSONValue] in [
            ["enc": .string("A128GCM")], ["alg": .null], ["crit": .array([.string("x")]), "x": .integer(1)],
        ] {
            #expect(throws: IDTokenRefusal.self) { try self.verify(Keys.es256.sign(payload: self.claims(), header: header)) }
        }
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "a.b.c.d", "...", String(repeating: "a", count: 70_000)])
    func `junk is refused`(text: String) { #expect(throws: IDTokenRefusal.self) { try self.verify(text) } }

    @Test func `a listed alias of the issuer counts as the issuer, and the identity keeps one spelling`() throws {
        let verifier = try self.verifier([.es256]) { $0.issuerAliases = ["id.example"] }
        #expect(
            try self.verify(Keys.es256.sign(payload: self.claims(["iss": .string("id.example")])), with: verifier).issuer
                == "https://id.example")
    }

    @Test func `no refusal quotes the token`() throws {
        let canary = "canary-2f7c"
        for change in [["iss": .string(canary)], ["sub": .string("ä" + canary)], ["nonce": .string(canary)], ["aud": .string(canary)]]
            as [[String: JSONValue?]]
        {
            let refusal = try #require(try self.refusal(change))
            #expect(!"\(refusal.signInError(provider: "p"))".contains(canary))
            #expect(refusal.signInError(provider: "p").status == 502)
        }
    }

    // Core 12.2: the refreshed token.

    private func refreshed(
        _ change: [String: JSONValue?], original: [String: JSONValue?] = [:]
    ) throws -> (token: VerifiedIDToken, hasOtherAuthTime: Bool) {
        // As a session holds it: the token of the sign-in, and the identity that came of it.
        let identity = ProviderIdentity(provider: "oidc.acme", issuer: "https://id.example", subject: "alice")
        let session = Session.issue(
            for: AccountOutcome(supposing: identity), authTime: nil, providerSessionID: nil,
            tokens: .init(idToken: Keys.es256.sign(payload: self.claims(original))), now: epoch)
        return try self.verifier().verifyRefreshed(
            Keys.es256.sign(payload: self.claims(change)), keys: Keys.set, original: OriginalIDToken(session: session), accessToken: "at",
            now: epoch)
    }

    @Test(arguments: [.integer(epoch / 1000 - 31), .integer(1), .integer(4_000_000_000), .string("1"), .null] as [JSONValue])
    func `issue 19, 24: another auth_time is reported and refuses nothing`(authTime: JSONValue) throws {
        #expect(try self.refreshed(["auth_time": authTime]).hasOtherAuthTime)
        #expect(try !self.refreshed([:]).hasOtherAuthTime)
        #expect(try !self.refreshed(["auth_time": nil]).hasOtherAuthTime)
    }

    @Test func `Core 12.2: a refreshed token without nonce and auth_time passes`() throws {
        _ = try self.refreshed(["nonce": nil, "auth_time": nil])
        _ = try self.refreshed([:])
    }

    @Test(
        arguments: [
            ("sub", .string("mallory")), ("aud", .array([.string("acme-web")])), ("azp", .string("acme-web")),
            ("nonce", .string("other")),
        ] as [(String, JSONValue)])
    func `Core 12.2: what a refreshed token changes is refused`(claim: String, value: JSONValue) throws {
        // An azp of the original is another client's only in a broken session: the comparison is what is tested.
        let original: [String: JSONValue?] = claim == "azp" ? ["azp": .string("acme-api")] : [:]
        #expect(throws: IDTokenRefusal.changedAtRefresh(claim)) { try self.refreshed([claim: value], original: original) }
    }
}
