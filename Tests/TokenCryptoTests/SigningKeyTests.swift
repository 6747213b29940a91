import Primitives
import Testing
import TokenCrypto

@Suite struct SigningKeyTests {
    private static let asymmetric = JWSAlgorithm.allCases.filter { !$0.isSymmetric }
    private let payload = JSONValue.object(["sub": .string("alice"), "n": .integer(1)])

    @Test("what a key signs, its public half verifies, through PEM and JWK as well", arguments: asymmetric)
    func roundTrip(algorithm: JWSAlgorithm) throws {
        let key = try #require(TestKeys.all[algorithm])
        let read = try SigningKey(pem: key.pem, algorithm: algorithm, keyID: key.keyID)
        let set = TestKeys.set([key.publicJWK])
        #expect(set.count == 1 && set.skipped.isEmpty)
        for signer in [key, read] {
            let token = try UnverifiedJWS(compact: signer.sign(payload: payload, header: ["typ": .string("at+jwt")]))
            #expect(token.type == "at+jwt" && token.keyID == key.keyID && token.algorithm == algorithm.rawValue)
            #expect(try token.verified(with: set, secret: nil, allowed: [algorithm]) == payload)
        }
        #expect(key.publicJWK["d"] == nil && key.publicJWK["use"] == .string("sig") && key.publicJWK["alg"] == .string(algorithm.rawValue))
    }

    @Test("a key for one algorithm never verifies another", arguments: asymmetric)
    func otherAlgorithm(algorithm: JWSAlgorithm) throws {
        let key = try #require(TestKeys.all[algorithm])
        let token = try UnverifiedJWS(compact: key.sign(payload: payload))
        for other in Self.asymmetric where other != algorithm {
            let jwk = try #require(TestKeys.all[other]?.publicJWK).with(["kid": .string(key.keyID)])
            #expect(throws: JWSError.noUsableKey) {
                try token.verified(with: TestKeys.set([jwk]), secret: nil, allowed: Set(JWSAlgorithm.allCases))
            }
        }
    }

    @Test("HMAC signatures verify with their secret only", arguments: [JWSAlgorithm.hs256, .hs384, .hs512])
    func symmetric(algorithm: JWSAlgorithm) throws {
        let token = try UnverifiedJWS(compact: HMACSigner.sign(payload: payload, algorithm: algorithm, secret: TestKeys.secret))
        #expect(try token.verified(with: .empty, secret: TestKeys.secret, allowed: [algorithm]) == payload)
        #expect(throws: JWSError.signatureInvalid) {
            try token.verified(with: .empty, secret: TestKeys.secret.dropLast() + [0], allowed: [algorithm])
        }
        #expect(throws: JWSError.noUsableKey) { try token.verified(with: .empty, secret: nil, allowed: [algorithm]) }
    }

    @Test func `a key's own kid is its RFC 7638 thumbprint, the same after PEM`() throws {
        let key = SigningKey.generate(.es256)
        #expect(Base64URL.decode(key.keyID)?.count == 32)
        #expect(try SigningKey(pem: key.pem, algorithm: .es256).keyID == key.keyID)
        #expect(SigningKey.generate(.es256).keyID != key.keyID)
    }

    @Test func `a key whose type does not fit the algorithm is refused`() throws {
        let pem = SigningKey.generate(.es256).pem
        for algorithm in [JWSAlgorithm.es384, .es512, .rs256, .edDSA, .hs256] {
            #expect(throws: JWSError.noUsableKey) { try SigningKey(pem: pem, algorithm: algorithm) }
        }
    }

    @Test(
        "what is no private key in PEM is refused without asking anybody for a passphrase",
        arguments: [
            "", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH",
            """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAixPwc55GDBlQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELi9H34RUnO33ieIjtxVwHcEgZAE
            zGDP8/fexFIJt2Xgax/R+Ry29xbSw2okRctn1lwq0VF8pSsKhArY6Fn3nwiW1wJ2
            aNXjavkHmjznhE5T9oRY5u/UFuvW4dlVBnCnaBFae2WKe2eODQ2cjMUoJAXwsqQ2
            bkVRuAx6EQ7Q4+hdF6NT0UFIbvpbM1WmAyhqHswD6NDrPY17oyaF1K/uyobmwOQ=
            -----END ENCRYPTED PRIVATE KEY-----
            """,
        ])
    func notAKey(pem: String) {
        #expect(throws: JWSError.malformed("this is not an unencrypted private key in PEM")) {
            try SigningKey(pem: pem, algorithm: .es256)
        }
    }

    @Test func `a traditional PEM is read and written back as PKCS 8`() throws {
        // Made with `openssl ecparam -name prime256v1 -genkey -noout`, for this test alone.
        let key = try SigningKey(
            pem: """
                -----BEGIN EC PRIVATE KEY-----
                MHcCAQEEIHeYVJ7/S7nDMz39BqA3yzyYNCao+ACuFNk/H4hSyiA7oAoGCCqGSM49
                AwEHoUQDQgAEqoDzs2MmVl66MZgA9oY4NQ6HA70ds4SE9XkQsYQIxEG3lGqwGhhP
                +vAlxyn3xAhZNmt3oqPZKsuP+6VH88PzgQ==
                -----END EC PRIVATE KEY-----
                """, algorithm: .es256)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let token = try UnverifiedJWS(compact: key.sign(payload: payload))
        #expect(try token.verified(with: TestKeys.set([key.publicJWK]), secret: nil, allowed: [.es256]) == payload)
    }

    @Test func `an RSA key of 1024 bits is refused`() {
        let pem = """
            -----BEGIN RSA PRIVATE KEY-----
            MIICXAIBAAKBgQDN/dJD65B/m4fNv66UiJFtzc/QTQGQ3kv5Pa08IrO4R6w308KV
            pT+VHFsG97WyxUUguXj4+dSdY/qEqNii3WPjPe2j19WkOh+tMbVPGixwXjH4cELJ
            BXAJRBK200FkO3lFiqGb0M7XH7hlborNjUXVjw+QVhlOEZS+VCEhZEtwpwIDAQAB
            AoGAJtlf9n9O2UIz8pHcExdOli7iqp5bVT8XhQIk0dqZmn+p8z10zVRFEZIveLjv
            A7BAwVM5hXtYpfZdIPfXI6AtXi8PzyR1B1KTbx/na5s3xzDfoyK+p5LGQo0vtNew
            jNmYzppls8KovEMBRlUWdpEnTNhV0ASAjnckkDX1Op4yEsECQQD++IvvFvtRuNkS
            43QvgXCe9Cx1xxcFtQlXfE3TilQpNek2TYS4+W3wK5rfM1JWfekq/csNrNOe5pEa
            5Anq6jzDAkEAztKqdime+WlHYCJPgwm6JCylp0RODgZyWTy6CWEjacyNeYVXC1A2
            vJutGZkv1JFJBbvEaA9Lul0qMFgWkyGOTQJAOLYt4ds5wT6dQd9Hq31eAG0NKpFC
            5KkUz9m9Mc011QjBu6tYVxBbzKzWQMkYilZtM3vJ21vSoihkpBeOwSqiowJAbEhP
            ht3zpZFBFUvhZTHKivX1JMXWN/GYHLB2lkKNT+8QgvcUw4+TmNvInQZezGPkX2QX
            SIP5mfD9DaKQ7yc6YQJBAOSjnNhBrJwFxet0mhbB5evAclzdyY5gWlQdZ7Ja8k10
            e70JfKEjNdzX+ogx6ZUja4u9aESHYJj3AkSZgtHvu+Y=
            -----END RSA PRIVATE KEY-----
            """
        #expect(throws: JWSError.noUsableKey) { try SigningKey(pem: pem, algorithm: .rs256) }
    }

    @Test func `header members replace ours, and null leaves one out`() throws {
        let key = try #require(TestKeys.all[.es256])
        let token = try UnverifiedJWS(compact: key.sign(payload: payload, header: ["kid": .null, "typ": .string("JWT")]))
        #expect(token.keyID == nil && token.header == .object(["alg": .string("ES256"), "typ": .string("JWT")]))
    }

    @Test("one key signs and verifies from many tasks at once", arguments: [JWSAlgorithm.rs256, .ps256, .es256, .edDSA])
    func parallel(algorithm: JWSAlgorithm) async throws {
        let key = try #require(TestKeys.all[algorithm])
        let (set, payload) = (TestKeys.set([key.publicJWK]), payload)
        let verified = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let token = try? UnverifiedJWS(compact: key.sign(payload: payload))
                    return (try? token?.verified(with: set, secret: nil, allowed: [algorithm])) == payload
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(verified == 64)
    }

    @Test func `exact payload bytes are signed as they are`() throws {
        let key = try #require(TestKeys.all[.es256])
        let compact = key.sign(payloadBytes: utf8("{\"a\":1,\"a\":2}"), header: [:])
        #expect(throws: JWSError.malformed("the payload is not JSON: a member name is used twice at byte 7")) {
            try UnverifiedJWS(compact: compact)
        }
    }
}
