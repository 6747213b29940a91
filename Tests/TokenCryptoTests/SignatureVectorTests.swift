import Primitives
import Testing

@testable import TokenCrypto

@Suite struct SignatureVectorTests {
    @Test("the published signatures hold, and no other", arguments: SignatureVector.all)
    func vectors(vector: SignatureVector) throws {
        let key = try VerificationKey(jwk: JSONValue(parsing: vector.jwk))
        let parts = vector.compact.split(separator: ".")
        let message = utf8("\(parts[0]).\(parts[1])")
        let signature = try #require(Base64URL.decode(String(parts[2])))
        #expect(key.serves(vector.algorithm))
        #expect(key.key.verifies(signature, of: message, vector.algorithm))
        #expect(!key.key.verifies(signature, of: message + [0], vector.algorithm))
        for algorithm in JWSAlgorithm.allCases where algorithm != vector.algorithm {
            #expect(!key.key.verifies(signature, of: message, algorithm), "\(algorithm)")
        }
        for index in signature.indices {
            var flipped = signature
            flipped[index] ^= 1
            #expect(!key.key.verifies(flipped, of: message, vector.algorithm))
        }
        #expect(!key.key.verifies(Array(signature.dropLast()), of: message, vector.algorithm))
        #expect(!key.key.verifies(signature + [0], of: message, vector.algorithm))
        #expect(!key.key.verifies([0] + signature, of: message, vector.algorithm))
        #expect(!key.key.verifies([], of: message, vector.algorithm))
    }

    @Test func `RFC 7515 A.2 and A.3: a token is verified with its key in a set`() throws {
        for vector in SignatureVector.all.prefix(2) {
            let set = try JWKSet(parsing: .object(["keys": .array([JSONValue(parsing: vector.jwk)])]))
            let payload = try UnverifiedJWS(compact: vector.compact).verified(with: set, secret: nil, allowed: [vector.algorithm])
            #expect(payload["iss"]?.string == "joe")
            #expect(payload["exp"]?.integer == 1_300_819_380)
        }
    }

    @Test func `RFC 7515 A.1: HS256`() throws {
        let secret = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let compact = """
            eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\
            eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
            dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
            """
        let token = try UnverifiedJWS(compact: compact)
        #expect(token.type == "JWT" && token.keyID == nil)
        #expect(try token.verified(with: .empty, secret: secret, allowed: [.hs256])["iss"]?.string == "joe")
        #expect(throws: JWSError.signatureInvalid) {
            try token.verified(with: .empty, secret: secret.reversed(), allowed: [.hs256])
        }
    }

    @Test func `RFC 7638 section 3.1: the thumbprint of the example key`() throws {
        let jwk = """
            {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3o\
            knjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n9\
            1CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB"}
            """
        let key = try PublicKey(jwk: #require(JSONValue(parsing: jwk).object))
        #expect(key.handle.thumbprint(.rsa) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test func `RFC 8037 A.3: the thumbprint of an Ed25519 key`() throws {
        let jwk = try JSONValue(parsing: #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)
        let key = try PublicKey(jwk: #require(jwk.object))
        #expect(key.handle.thumbprint(.ed25519) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }
}
