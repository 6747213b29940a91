import Primitives
import Testing

@testable import TokenCrypto

/// RFC 8725 and RFC 7515 against hostile tokens, each with its exact refusal.
@Suite struct JWSRefusalTests {
    private static let payload = JSONValue.object(["sub": .string("alice")])
    private static let key = TestKeys.all[.es256]!
    private let everything = Set(JWSAlgorithm.allCases)

    private func verify(_ compact: String, with set: JWKSet = TestKeys.set(.es256, .rs256), secret: [UInt8]? = nil) throws -> JSONValue {
        try UnverifiedJWS(compact: compact).verified(with: set, secret: secret, allowed: everything)
    }

    private static func token(_ header: String, _ payload: String = "{}", signature: String = "AA") -> String {
        "\(Base64URL.encode(utf8(header))).\(Base64URL.encode(utf8(payload))).\(signature)"
    }

    @Test("the payload of a verified token is that of the whole parser, and nothing but three parts has one")
    func payloadOfVerified() throws {
        let token = Self.token(#"{"alg":"ES256"}"#, #"{"sub":"alice","n":[1,null]}"#)
        #expect(UnverifiedJWS.payload(ofVerified: token) == (try UnverifiedJWS(compact: token).payload))
        for malformed in [
            "", ".", "..", "a.b", "a.e30", "a.e30.b.c", "a..b", "a.e30=.b", "a.e30 .b", Self.token("{}", "[]"), Self.token("{}", "\"x\""),
            Self.token("{}", #"{"a":1,"a":2}"#), Self.token("{}", String(repeating: "[", count: 40)),
            Self.token("{}", "{\"a\":\"" + String(repeating: "a", count: 64 << 10) + "\"}"),
        ] {
            #expect(UnverifiedJWS.payload(ofVerified: malformed) == nil, "\(malformed.prefix(40))")
        }
    }

    @Test(
        "what is not a compact JWS is malformed",
        arguments: [
            ("", "the token does not have three parts"),
            ("a.b", "the token does not have three parts"),
            ("a.b.c.d", "the token does not have three parts"),
            ("a.b.c.d.e", "the token does not have three parts"),
            ("..", "the header is not JSON: the text ends where a value is expected at byte 0"),
            ("e30=.e30.AA", "the header is not base64url"),
            ("e30 .e30.AA", "the header is not base64url"),
            (token("{}"), "the header has no alg"),
            (token(#"{"alg":null}"#), "the header's alg is not a string"),
            (token(#"{"alg":["ES256"]}"#), "the header's alg is not a string"),
            (token(#"{"alg":"ES256","kid":1}"#), "the header's kid is not a string"),
            (token(#"{"alg":"ES256","typ":{}}"#), "the header's typ is not a string"),
            (token("[]"), "the header is not a JSON object"),
            (token(#"{"alg":"ES256"}"#, "[]"), "the payload is not a JSON object"),
            (token(#"{"alg":"ES256"}"#, "\"x\""), "the payload is not a JSON object"),
            (token(#"{"alg":"ES256"}"#, ""), "the payload is not JSON: the text ends where a value is expected at byte 0"),
            (token(#"{"alg":"ES256"}"#, signature: "A"), "the signature is not base64url"),
            (token(#"{"alg":"ES256"}"#, signature: "AA=="), "the signature is not base64url"),
            (token(#"{"alg":"ES256"}"#, signature: "AB"), "the signature is not base64url"),
            (token(#"{"alg":"ES256","alg":"none"}"#), "the header is not JSON: a member name is used twice at byte 15"),
            (token(#"{"alg":"ES256","\u0061lg":"none"}"#), "the header is not JSON: a member name is used twice at byte 15"),
            (token(#"{"alg":"ES256","enc":"A128GCM"}"#), "the token is encrypted"),
            (token(#"{"enc":"A128GCM"}"#), "the token is encrypted"),
            (token(#"{"alg":"ES256","zip":"DEF"}"#), "the token is compressed"),
            (token(#"{"alg":"ES256"}"#, #"{"sub":"a","sub":"b"}"#), "the payload is not JSON: a member name is used twice at byte 11"),
            (
                token(#"{"alg":"ES256"}"#, String(repeating: "[", count: 40)),
                "the payload is not JSON: arrays and objects are nested deeper than 32 levels at byte 32"
            ),
        ])
    func malformed(compact: String, reason: String) {
        #expect(throws: JWSError.malformed(reason)) { try UnverifiedJWS(compact: compact) }
    }

    @Test func `a token over 64 KiB is refused before it is read`() throws {
        let padding = String(repeating: "x", count: 60 * 1024)
        #expect(throws: JWSError.tooLarge) { try UnverifiedJWS(compact: Self.token(#"{"alg":"ES256"}"#, #"{"a":"\#(padding)"}"#)) }
        #expect(throws: JWSError.tooLarge) { try UnverifiedJWS(compact: String(repeating: ".", count: 65_537)) }
    }

    @Test(
        "RFC 8725 section 3.1: an alg that is not allowed is refused, none in every spelling",
        arguments: ["none", "None", "NONE", "nOnE", "", "RSA1_5", "es256", "ES256 ", "ES256\\u0000", "ES256K", "A256KW", "dir"])
    func algorithm(name: String) {
        #expect(throws: JWSError.algorithmNotAllowed) { try verify(Self.token(#"{"alg":"\#(name)"}"#, signature: "")) }
    }

    @Test func `an alg that we know but that is not in the allow-list is refused`() throws {
        let token = try UnverifiedJWS(compact: Self.key.sign(payload: Self.payload))
        #expect(throws: JWSError.algorithmNotAllowed) {
            try token.verified(with: TestKeys.set(.es256), secret: nil, allowed: [.rs256])
        }
        #expect(throws: JWSError.algorithmNotAllowed) { try token.verified(with: TestKeys.set(.es256), secret: nil, allowed: []) }
    }

    @Test func `RFC 8725 section 2.1: HS256 with the public key as secret is refused`() throws {
        let rsa = try #require(TestKeys.all[.rs256])
        for secret in [utf8(rsa.publicJWK.serialized()), utf8(rsa.publicJWK["n"]?.string ?? "")] {
            let forged = HMACSigner.sign(
                payload: Self.payload, algorithm: .hs256, secret: secret, header: ["kid": .string(rsa.keyID)])
            #expect(throws: JWSError.noUsableKey) { try verify(forged, with: TestKeys.set(.rs256)) }
            #expect(throws: JWSError.signatureInvalid) { try verify(forged, with: TestKeys.set(.rs256), secret: TestKeys.secret) }
        }
    }

    @Test func `RFC 7518 section 3.2: a secret shorter than the hash is no usable key`() throws {
        for (algorithm, size) in [(JWSAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)] {
            let short = [UInt8](repeating: 9, count: size - 1)
            let compact = HMACSigner.sign(payload: Self.payload, algorithm: algorithm, secret: short)
            #expect(throws: JWSError.noUsableKey) { try verify(compact, secret: short) }
            let enough = HMACSigner.sign(payload: Self.payload, algorithm: algorithm, secret: short + [9])
            #expect(try verify(enough, secret: short + [9]) == Self.payload)
        }
    }

    @Test(
        "RFC 7515 section 4.1.11: crit is refused, whatever it names",
        arguments: [#"["exp"]"#, #"["b64"]"#, "[]", "null", #""exp""#, #"["urn:example:unknown"]"#])
    func critical(value: String) throws {
        let compact = Self.key.sign(payload: Self.payload)
        let header = #"{"alg":"ES256","kid":"\#(Self.key.keyID)","crit":\#(value)}"#
        let parts = compact.split(separator: ".")
        let tampered = "\(Base64URL.encode(utf8(header))).\(parts[1]).\(parts[2])"
        #expect(throws: JWSError.criticalHeader) { try verify(tampered) }
    }

    @Test(
        "RFC 7518 section 3.4: a signature of zeros, of DER or of the wrong length is refused",
        arguments: [JWSAlgorithm.es256, .es384, .es512])
    func psychicSignature(algorithm: JWSAlgorithm) throws {
        let key = try #require(TestKeys.all[algorithm])
        let curve: EllipticCurve = try #require([.es256: .p256, .es384: .p384, .es512: .p521][algorithm])
        let size = try #require([.es256: 32, .es384: 48, .es512: 66][algorithm])
        let compact = key.sign(payload: Self.payload)
        let input = compact[..<(try #require(compact.lastIndex(of: ".")))]
        let good = try #require(Base64URL.decode(String(compact[compact.index(after: input.endIndex)...])))
        let zero = [UInt8](repeating: 0, count: size)
        let order = [UInt8](repeating: 0xFF, count: size)
        let (r, s) = (Array(good.prefix(size)), Array(good.suffix(size)))
        let der = try #require(ECDSASignature.derEncoded(good, curve))
        let hostile = [zero + zero, zero + s, r + zero, order + s, r + order, [0] + good, good + [0], r, s + r, der, []]
        for signature in hostile {
            #expect(throws: JWSError.signatureInvalid) {
                try verify("\(input).\(Base64URL.encode(signature))", with: TestKeys.set(algorithm))
            }
        }
        #expect(try verify(compact, with: TestKeys.set(algorithm)) == Self.payload)
        for signature in [zero + zero, zero + s, r + zero, good + [0], [0] + good, []] {
            #expect(ECDSASignature.derEncoded(signature, curve) == nil)
        }
    }

    @Test(
        "RFC 8725 section 3.10: kid is opaque",
        arguments: [
            "../../etc/passwd", "' OR 1=1 --", "key-ES256\u{0}", "KEY-ES256", "key-ES256 ", "", "file:///etc/passwd",
            String(repeating: "k", count: 30_000),
        ])
    func keyIDIsOpaque(keyID: String) {
        #expect(throws: JWSError.unknownKeyID) { try verify(Self.key.sign(payload: Self.payload, header: ["kid": .string(keyID)])) }
    }

    @Test func `a kid in another Unicode form is another kid`() throws {
        let set = TestKeys.set([Self.key.publicJWK.with(["kid": .string("cl\u{E9}")])])
        let compact = Self.key.sign(payload: Self.payload, header: ["kid": .string("cle\u{301}")])
        #expect(throws: JWSError.unknownKeyID) { try verify(compact, with: set) }
    }

    @Test func `a kid that no key has never falls back to another key, not even one without kid`() throws {
        let set = TestKeys.set([Self.key.publicJWK.with(["kid": .null])])
        #expect(throws: JWSError.unknownKeyID) { try verify(Self.key.sign(payload: Self.payload), with: set) }
        #expect(throws: JWSError.unknownKeyID) { try verify(Self.key.sign(payload: Self.payload), with: .empty) }
    }

    @Test func `a kid of a key that we cannot use is not worth a refetch`() throws {
        let set = TestKeys.set([Self.key.publicJWK.with(["use": .string("enc")])])
        #expect(throws: JWSError.noUsableKey) { try verify(Self.key.sign(payload: Self.payload), with: set) }
    }

    @Test func `without kid every fitting key is tried, at most sixteen`() throws {
        let compact = Self.key.sign(payload: Self.payload, header: ["kid": .null])
        let other = SigningKey.generate(.es256).publicJWK
        let misfit = SigningKey.generate(.es384).publicJWK
        let fifteen = [JSONValue](repeating: other, count: 15)
        #expect(try verify(compact, with: TestKeys.set([misfit] + fifteen + [Self.key.publicJWK])) == Self.payload)
        #expect(throws: JWSError.signatureInvalid) {
            try verify(compact, with: TestKeys.set(fifteen + [other, Self.key.publicJWK]))
        }
        #expect(throws: JWSError.noUsableKey) { try verify(compact, with: TestKeys.set([misfit])) }
        #expect(throws: JWSError.noUsableKey) { try verify(compact, with: .empty) }
    }

    @Test func `two keys of one kid are both tried`() throws {
        let other = SigningKey.generate(.es256, keyID: Self.key.keyID).publicJWK
        #expect(try verify(Self.key.sign(payload: Self.payload), with: TestKeys.set([other, Self.key.publicJWK])) == Self.payload)
    }

    @Test func `RFC 8725 section 3.10: a key that the token brings along is never used`() throws {
        let attacker = SigningKey.generate(.es256, keyID: Self.key.keyID)
        let compact = attacker.sign(
            payload: Self.payload,
            header: [
                "jwk": attacker.publicJWK, "jku": .string("https://evil.example/jwks"), "x5u": .string("https://evil.example/x5u"),
                "x5c": .array([.string("MIIB")]),
            ])
        #expect(throws: JWSError.signatureInvalid) { try verify(compact) }
    }

    @Test func `a forged token takes nothing away from the next good one`() throws {
        let set = TestKeys.set([Self.key.publicJWK.with(["alg": .null])])
        let good = Self.key.sign(payload: Self.payload)
        let forged = SigningKey.generate(.es384, keyID: Self.key.keyID).sign(payload: Self.payload)
        #expect(throws: JWSError.noUsableKey) { try verify(forged, with: set) }
        #expect(try verify(good, with: set) == Self.payload)
    }

    @Test func `CVE-2024-33531: every flip of a bit in header or payload is refused`() throws {
        let compact = utf8(Self.key.sign(payload: Self.payload))
        let end = try #require(compact.lastIndex(of: UInt8(ascii: ".")))
        for index in 0..<end {
            var flipped = compact
            flipped[index] ^= 1
            #expect(throws: JWSError.self) { try verify(String(decoding: flipped, as: UTF8.self)) }
        }
    }
}
