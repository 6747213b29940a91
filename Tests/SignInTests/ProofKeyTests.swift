import Primitives
import Providers
import Testing
import TokenCrypto

@testable import SignIn

@Suite struct ProofKeyTests {
    @Test func `the key comes back from its 32 bytes`() throws {
        let key = ProofKey.generate()
        #expect(key.secret.count == 32)
        #expect(try #require(ProofKey(secret: key.secret)).thumbprint == key.thumbprint)
        #expect(ProofKey.generate().thumbprint != key.thumbprint)
        // RFC 7638: base64url of a SHA-256.
        #expect(Base64URL.decode(key.thumbprint)?.count == 32)
    }

    @Test(arguments: [[], [1], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 1, count: 33)])
    func `what is no scalar of the curve is no key`(secret: [UInt8]) { #expect(ProofKey(secret: secret) == nil) }

    @Test func `RFC 9449 4_2: a proof holds the public key alone, method, address without query and fragment, and a fresh jti`() throws {
        let key = ProofKey.generate()
        func proof(_ token: String? = nil, nonce: String? = nil) throws -> UnverifiedJWS {
            try UnverifiedJWS(
                compact: key.proof(method: "POST", url: "https://id.example/token?a=b#c", nonce: nonce, accessToken: token, now: epoch))
        }
        let plain = try proof()
        #expect(plain.type == "dpop+jwt")
        #expect(plain.algorithm == "ES256")
        #expect(plain.keyID == nil)
        let jwk = try #require(plain.header["jwk"]?.object)
        #expect(Set(jwk.keys) == ["kty", "crv", "x", "y"])
        #expect(plain.payload["htm"] == .string("POST"))
        #expect(plain.payload["htu"] == .string("https://id.example/token"))
        // A provider whose clock is a little behind takes nothing from its future.
        #expect(plain.payload["iat"] == .integer(epoch / 1000 - 2))
        #expect(plain.payload["ath"] == nil)
        #expect(plain.payload["nonce"] == nil)
        let set = try JWKSet(parsing: .object(["keys": .array([.object(jwk)])]))
        #expect(throws: Never.self) { try plain.verified(with: set, secret: nil, allowed: [.es256]) }
        #expect(try proof().payload["jti"] != plain.payload["jti"])
        let bound = try proof("abc", nonce: "n-1").payload
        #expect(bound["ath"] == .string("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"))
        #expect(bound["nonce"] == .string("n-1"))
    }
}

@Suite struct PushedAuthorizationTests {
    private func answer(_ body: String, status: Int = 201, type: String = "application/json") throws -> PushedAuthorization {
        try PushedAuthorization(ProviderAnswer(status: status, contentType: type, body: Array(body.utf8)))
    }

    @Test(arguments: [200, 201])
    func `RFC 9126 2_2: a reference and its life`(status: Int) throws {
        let pushed = try self.answer(#"{"request_uri":"urn:x:1","expires_in":60}"#, status: status)
        #expect(pushed.requestURI == "urn:x:1")
        #expect(pushed.expiresIn == 60)
    }

    @Test(
        arguments: [
            (#"{"expires_in":60}"#, 201), (#"{"request_uri":"","expires_in":60}"#, 201), (#"{"request_uri":7,"expires_in":60}"#, 201),
            (#"{"request_uri":"a b","expires_in":60}"#, 201), (#"{"request_uri":"urn:x:1"}"#, 201),
            (#"{"request_uri":"urn:x:1","expires_in":0}"#, 201), (#"{"request_uri":"urn:x:1","expires_in":"60"}"#, 201), ("[]", 201),
            ("", 201),
            ("<html>", 200), (#"{"request_uri":"urn:x:1","expires_in":60"#, 201),
            (#"{"request_uri":"a","request_uri":"b","expires_in":6}"#, 201),
        ])
    func `RFC 9126 2_2: anything else is unusable`(body: String, status: Int) {
        #expect(throws: PushedAuthorization.Refusal.self) { try self.answer(body, status: status) }
    }

    @Test func `RFC 9126 2_3: the provider's error is told from its outage`() {
        #expect(throws: PushedAuthorization.Refusal.error(code: "invalid_request")) {
            try self.answer(#"{"error":"invalid_request"}"#, status: 400)
        }
        #expect(throws: PushedAuthorization.Refusal.status(503)) { try self.answer("", status: 503, type: "text/html") }
        #expect(PushedAuthorization.Refusal.status(503).signInError(provider: "p").code == .providerUnavailable)
        #expect(PushedAuthorization.Refusal.error(code: "x").signInError(provider: "p").code == .providerError)
    }
}

@Suite struct TokenTypeTests {
    private func response(_ type: String, _ policy: TokenResponse.TypePolicy) throws -> TokenResponse {
        let body = #"{"access_token":"a","token_type":"\#(type)"}"#
        return try TokenResponse(
            ProviderAnswer(status: 200, contentType: "application/json", body: Array(body.utf8)), kind: .oidc, type: policy)
    }

    @Test func `RFC 9449 5: token_type without case, and what was asked for`() throws {
        #expect(try self.response("dpop", .dpop).isBound)
        #expect(try self.response("DPoP", .bearerOrDPoP).isBound)
        #expect(try !self.response("Bearer", .bearerOrDPoP).isBound)
        for (type, policy) in [("Bearer", TokenResponse.TypePolicy.dpop), ("DPoP", .bearer), ("mac", .bearerOrDPoP)] {
            #expect(throws: TokenResponse.Refusal.self) { try self.response(type, policy) }
        }
    }
}
