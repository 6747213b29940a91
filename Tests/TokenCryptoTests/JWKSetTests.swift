import Primitives
import Testing
import TokenCrypto

@Suite struct JWKSetTests {
    private static let ec = TestKeys.all[.es256]!.publicJWK
    private static let rsa = TestKeys.all[.rs256]!.publicJWK
    private static let okp = TestKeys.all[.edDSA]!.publicJWK

    private static func modulus(bits: Int, last: UInt8 = 1) -> JSONValue {
        .string(Base64URL.encode([0x80] + [UInt8](repeating: 0x55, count: bits / 8 - 2) + [last]))
    }

    private static func coordinate(_ size: Int) -> JSONValue { .string(Base64URL.encode([UInt8](repeating: 1, count: size))) }

    @Test(
        "a key that we cannot use is skipped with its reason, the others stay",
        arguments: [
            (.string("x"), "it is not an object"),
            (.object([:]), "it has no kty"),
            (.object(["kty": .integer(1)]), "it has no kty"),
            (.object(["kty": .string("AKP")]), "its kty is unknown"),
            (.object(["kty": .string("oct"), "k": .string("AAAA")]), "a key set must not contain symmetric keys"),
            (ec.with(["kid": .integer(7)]), "its kid is not a string"),
            (ec.with(["use": .string("enc")]), "its use is not sig"),
            (ec.with(["use": .array([])]), "its use is not a string"),
            (ec.with(["key_ops": .array([.string("sign")])]), "its key_ops do not contain verify"),
            (ec.with(["key_ops": .array([])]), "its key_ops do not contain verify"),
            (ec.with(["key_ops": .string("verify")]), "its key_ops do not contain verify"),
            (ec.with(["alg": .string("none")]), "its alg is not a supported signature algorithm"),
            (ec.with(["alg": .string("ECDH-ES")]), "its alg is not a supported signature algorithm"),
            (ec.with(["alg": .bool(true)]), "its alg is not a string"),
            (ec.with(["alg": .string("ES384")]), "its alg does not fit its kty"),
            (ec.with(["alg": .string("HS256")]), "its alg does not fit its kty"),
            (rsa.with(["alg": .string("ES256")]), "its alg does not fit its kty"),
            (okp.with(["alg": .string("RS256")]), "its alg does not fit its kty"),
            (ec.with(["d": .string("AAAA")]), "it contains a private key"),
            (ec.with(["crv": .string("secp256k1")]), "its curve is not P-256, P-384 or P-521"),
            (ec.with(["crv": .string("P-224")]), "its curve is not P-256, P-384 or P-521"),
            (ec.with(["crv": .null]), "its curve is not P-256, P-384 or P-521"),
            (ec.with(["x": .null]), "its x is missing or not base64url"),
            (ec.with(["y": .string("===")]), "its y is missing or not base64url"),
            (ec.with(["y": .string("")]), "its y is missing or not base64url"),
            (ec.with(["x": coordinate(33)]), "its coordinates are not as long as the curve's"),
            (ec.with(["y": coordinate(31)]), "its coordinates are not as long as the curve's"),
            (ec.with(["x": coordinate(32), "y": coordinate(32)]), "its point is not on the curve"),
            (
                ec.with(["x": .string(Base64URL.encode([UInt8](repeating: 0xFF, count: 32)))]),
                "its point is not on the curve"
            ),
            (
                ec.with([
                    "x": .string(Base64URL.encode([UInt8](repeating: 0, count: 32))),
                    "y": .string(Base64URL.encode([UInt8](repeating: 0, count: 32))),
                ]), "its point is not on the curve"
            ),
            (rsa.with(["n": .null]), "its n is missing or not base64url"),
            (rsa.with(["e": .integer(65537)]), "its e is missing or not base64url"),
            (rsa.with(["n": .string("AAAA")]), "its modulus is even"),
            (rsa.with(["n": modulus(bits: 2048, last: 2)]), "its modulus is even"),
            (rsa.with(["n": modulus(bits: 1024)]), "its modulus has fewer than 2048 bits"),
            (rsa.with(["n": modulus(bits: 2040)]), "its modulus has fewer than 2048 bits"),
            (rsa.with(["n": modulus(bits: 8200)]), "its modulus has more than 8192 bits"),
            (rsa.with(["e": .string("AQ")]), "its exponent is even, 1 or larger than 64 bits"),
            (rsa.with(["e": .string("AA")]), "its exponent is even, 1 or larger than 64 bits"),
            (rsa.with(["e": .string("AQAA")]), "its exponent is even, 1 or larger than 64 bits"),
            (rsa.with(["e": .string("AQAAAAAAAAAB")]), "its exponent is even, 1 or larger than 64 bits"),
            (okp.with(["crv": .string("X25519")]), "its curve is not Ed25519 or Ed448"),
            (okp.with(["x": coordinate(31)]), "its x does not fit the curve"),
            (okp.with(["x": coordinate(33)]), "its x does not fit the curve"),
            (okp.with(["crv": .string("Ed448")]), "its x does not fit the curve"),
        ] as [(JSONValue, String)])
    func skipped(jwk: JSONValue, reason: String) throws {
        let set = try JWKSet(parsing: .object(["keys": .array([Self.rsa, jwk, Self.okp])]))
        #expect(set.count == 2)
        #expect(set.skipped == [JWKSet.Skipped(keyID: jwk["kid"]?.string, reason: reason)])
    }

    @Test(
        "a key is taken with unknown members and without the optional ones",
        arguments: [
            ec.with(["use": .null, "alg": .null, "kid": .null]),
            ec.with(["x5c": .array([.string("not a certificate")]), "x5u": .string("https://evil.example"), "ext": .bool(true)]),
            ec.with(["key_ops": .array([.string("sign"), .string("verify")])]),
            rsa.with(["alg": .string("PS512")]),
            rsa.with(["e": .string("Aw")]),
            rsa.with(["e": .string("AAAAAQAB")]),
            okp.with(["use": .null]),
        ])
    func taken(jwk: JSONValue) throws {
        let set = try JWKSet(parsing: .object(["keys": .array([jwk])]))
        #expect(set.count == 1 && set.skipped.isEmpty)
    }

    @Test(arguments: [.null, .array([]), .object([:]), .object(["keys": .object([:])]), .object(["keys": .null])] as [JSONValue])
    func `what is no key set is refused`(json: JSONValue) {
        #expect(throws: JWSError.malformed("the key set has no array of keys")) { try JWKSet(parsing: json) }
    }

    @Test func `RFC 7517 section 5: an empty set is a set`() throws {
        #expect(try JWKSet(parsing: .object(["keys": .array([])])).count == 0)
        #expect(JWKSet.empty.count == 0 && JWKSet.empty.skipped.isEmpty)
    }

    @Test func `a set stops at a hundred keys and says so`() throws {
        let set = try JWKSet(parsing: .object(["keys": .array([JSONValue](repeating: Self.okp, count: 10_000))]))
        #expect(set.count == 100)
        #expect(set.skipped == [JWKSet.Skipped(keyID: nil, reason: "the set has more than 100 keys; the rest is ignored")])
    }

    @Test func `a key that names its algorithm serves no other of its type`() throws {
        let key = try #require(TestKeys.all[.rs256])
        let compact = key.sign(payload: .object([:]))
        for (algorithm, error) in [("RS256", nil), ("PS256", JWSError.noUsableKey), ("RS512", .noUsableKey)] {
            let set = TestKeys.set([key.publicJWK.with(["alg": .string(algorithm)])])
            let result = Result { () throws(JWSError) in
                try UnverifiedJWS(compact: compact).verified(with: set, secret: nil, allowed: Set(JWSAlgorithm.allCases))
            }
            #expect(result == (error.map(Result.failure) ?? .success(.object([:]))))
        }
    }
}
