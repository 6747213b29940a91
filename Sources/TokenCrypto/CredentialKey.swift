import COpenSSL
import Primitives

/// A public key with one algorithm, given by its numbers, for signatures as authenticators make them (WebAuthn section 6.5.5).
package struct CredentialKey: Sendable {
    package enum Numbers: Sendable, Equatable {
        /// ECDSA with SHA-256 on P-256: both coordinates with 32 bytes.
        case es256(x: [UInt8], y: [UInt8])
        /// RSASSA-PKCS1-v1_5 with SHA-256: modulus and exponent, big-endian.
        case rs256(modulus: [UInt8], exponent: [UInt8])
        /// EdDSA on Ed25519.
        case ed25519([UInt8])
    }

    private let key: PublicKey
    private let algorithm: JWSAlgorithm

    /// Nil for what `PublicKey` rejects: a point off the curve, an RSA modulus below 2048 or above 8192 bits, an even exponent, wrong lengths.
    package init?(_ numbers: Numbers) {
        let members: [String: [UInt8]]
        let names: [String: JSONValue]
        switch numbers {
        case .es256(let x, let y):
            (algorithm, names, members) = (.es256, ["kty": .string("EC"), "crv": .string("P-256")], ["x": x, "y": y])
        case .rs256(let modulus, let exponent):
            (algorithm, names, members) = (.rs256, ["kty": .string("RSA")], ["n": modulus, "e": exponent])
        case .ed25519(let point):
            (algorithm, names, members) = (.edDSA, ["kty": .string("OKP"), "crv": .string("Ed25519")], ["x": point])
        }
        let jwk = names.merging(members.mapValues { .string(Base64URL.encode($0)) }) { $1 }
        guard let key = try? PublicKey(jwk: jwk) else { return nil }
        self.key = key
    }

    /// Returns whether this is a signature of `message`. ECDSA signatures are in DER, with nothing after them and in one spelling.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard case .ec(let curve) = key.kind else { return key.verifies(signature, of: message, algorithm) }
        // The longest DER of two numbers of 33 bytes.
        guard signature.count <= 72, let raw = ECDSASignature.raw(signature, curve), ECDSASignature.derEncoded(raw, curve) == signature
        else {
            ERR_clear_error()
            return false
        }
        return key.verifies(raw, of: message, algorithm)
    }
}
