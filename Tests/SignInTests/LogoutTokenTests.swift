import SignIn
import Testing
import TokenCrypto

private let key = SigningKey.generate(.es256, keyID: "k1")
private let other = SigningKey.generate(.es256, keyID: "k1")

@Suite struct LogoutTokenTests {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    private func verify(
        _ change: [String: JSONValue?] = [:], type: String? = "logout+jwt", signer: SigningKey = key, now: Int64 = epoch
    ) throws -> VerifiedLogout {
        var claims: [String: JSONValue] = [
            "iss": .string("https://id.example"), "aud": .string("acme-web"), "iat": .integer(epoch / 1000),
            "exp": .integer(epoch / 1000 + 120), "jti": .string("j-1"), "sub": .string("alice"), "sid": .string("s-1"),
            "events": .object([Self.event: .object([:])]),
        ]
        for (name, value) in change { claims[name] = value }
        let verifier = LogoutTokenVerifier(try #require(IDTokenVerifier(settings: oidcSettings(), algorithms: [.es256])))
        let keys = try JWKSet(parsing: .object(["keys": .array([key.publicJWK])]))
        return try verifier.verify(
            signer.sign(payload: .object(claims), header: ["typ": type.map(JSONValue.string) ?? .null]), keys: keys, now: now)
    }

    @Test func `Back-Channel Logout 2_4: sub, sid or both`() throws {
        #expect(try self.verify().sessionID == "s-1")
        #expect(try self.verify(["sub": nil]).subject == nil)
        #expect(try self.verify(["sid": nil]).sessionID == nil)
        for type in ["JWT", nil, "application/logout+jwt"] { #expect(try self.verify(type: type).tokenID == "j-1") }
    }

    @Test(
        arguments: [
            (["iss": .string("https://evil.example")], .check(.issuer)), (["iss": nil], .check(.issuer)),
            (["aud": .string("other")], .check(.audience)), (["aud": nil], .check(.audience)),
            (["iat": nil], .check(.time(.iat, nil))),
            (["iat": .integer(epoch / 1000 + 61)], .check(.time(.iat, .integer(epoch / 1000 + 61)))),
            (["exp": .integer(epoch / 1000 - 61)], .check(.time(.exp, .integer(epoch / 1000 - 61)))),
            (["exp": .string("x")], .check(.time(.exp, .string("x")))),
            (["exp": nil, "iat": .integer(epoch / 1000 - 121)], .check(.time(.iat, .integer(epoch / 1000 - 121)))),
            (["sub": nil, "sid": nil], .subjectAndSessionMissing), (["sub": .string(""), "sid": .string("")], .subjectAndSessionMissing),
            (["events": nil], .events), (["events": .string(event)], .events), (["events": .object(["other": .object([:])])], .events),
            (["events": .object([event: .string("")])], .events),
            (["nonce": .string("n")], .nonce), (["jti": nil], .tokenID), (["jti": .string("")], .tokenID), (["jti": .integer(1)], .tokenID),
        ] as [([String: JSONValue?], LogoutRefusal)])
    func `Back-Channel Logout 2_6: every step refuses`(change: [String: JSONValue?], expected: LogoutRefusal) {
        #expect(throws: expected) { try self.verify(change) }
    }

    @Test(arguments: ["at+jwt", "dpop+jwt", "id_token+jwt"])
    func `Back-Channel Logout 4_1: another kind of token is none`(type: String) {
        #expect(throws: LogoutRefusal.check(.wrongKind)) { try self.verify(type: type) }
    }

    @Test func `step 2: another key signs nobody out`() {
        #expect(throws: LogoutRefusal.check(.signature(.signatureInvalid))) { try self.verify(signer: other) }
    }
}
