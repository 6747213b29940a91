import Primitives
import Testing

@testable import TokenCrypto

@Suite("Keys of authenticators")
struct CredentialKeyTests {
    private let message = Array("message".utf8)

    private func numbers(_ key: SigningKey) -> CredentialKey.Numbers {
        func number(_ name: String) -> [UInt8] { key.publicJWK[name]?.string.flatMap(Base64URL.decode) ?? [] }
        return switch key.algorithm {
        case .es256: .es256(x: number("x"), y: number("y"))
        case .rs256: .rs256(modulus: number("n"), exponent: number("e"))
        default: .ed25519(number("x"))
        }
    }

    @Test(arguments: [JWSAlgorithm.es256, .rs256, .edDSA])
    func `a signature of the key is right, and of nothing else`(algorithm: JWSAlgorithm) throws {
        let signing = SigningKey.generate(algorithm)
        let key = try #require(CredentialKey(numbers(signing)))
        let raw = signing.handle.sign(message, algorithm, signing.kind)
        let signature = algorithm == .es256 ? try #require(ECDSASignature.derEncoded(raw, .p256)) : raw
        #expect(key.verifies(signature, of: message))
        #expect(!key.verifies(signature, of: message + [0]))
        #expect(!key.verifies(signature + [0], of: message))
        #expect(!key.verifies(Array(signature.dropLast()), of: message))
        #expect(!key.verifies([], of: message))
        if algorithm == .es256 { #expect(!key.verifies(raw, of: message), "the form of JWS") }
    }

    /// RFC 8032 section 7.1, TEST 2.
    @Test func `Ed25519`() throws {
        let point = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        #expect(try #require(CredentialKey(.ed25519(point))).verifies(signature, of: [0x72]))
    }

    @Test func `points of Ed25519 for which anyone can sign are refused`() throws {
        let zeros = String(repeating: "00", count: 31)
        let ones = String(repeating: "ff", count: 30)
        for text in [
            "00\(zeros)", "01\(zeros)", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", "ec\(ones)7f", "ed\(ones)7f", "ee\(ones)7f",
        ] {
            var point = bytes(text)
            #expect(CredentialKey(.ed25519(point)) == nil)
            point[31] |= 0x80
            #expect(CredentialKey(.ed25519(point)) == nil)
        }
        #expect(CredentialKey(.ed25519([])) == nil && CredentialKey(.ed25519([1])) == nil)
    }

    @Test func `HMAC-SHA-1, RFC 2202 test case 2`() {
        #expect(
            HMAC.sha1(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
                == bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    }
}
