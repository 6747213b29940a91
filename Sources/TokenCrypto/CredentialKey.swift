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
    /// Also nil for a point of Ed25519 with a small order: anyone could sign for it.
    package init?(_ numbers: Numbers) {
        let members: [String: [UInt8]]
        let names: [String: JSONValue]
        switch numbers {
        case .es256(let x, let y):
            (algorithm, names, members) = (.es256, ["kty": .string("EC"), "crv": .string("P-256")], ["x": x, "y": y])
        case .rs256(let modulus, let exponent):
            (algorithm, names, members) = (.rs256, ["kty": .string("RSA")], ["n": modulus, "e": exponent])
        case .ed25519(let point):
            guard !Self.hasSmallOrder(point) else { return nil }
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

    /// The y coordinates of the points of Ed25519 whose order divides 8, least byte first, in each spelling; the sign of x does not matter.
    private static let smallOrders: [[UInt8]] = {
        let zeros = [UInt8](repeating: 0, count: 31)
        let ones = [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        let eighth: [UInt8] = [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3,
            0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ]
        // p - y of the same: p is 2^255 - 19.
        let other = zip(eighth, [0xED] + ones).map { $1 &- $0 }
        return [[0] + zeros, [1] + zeros, eighth, other, [0xEC] + ones, [0xED] + ones, [0xEE] + ones]
    }()

    private static func hasSmallOrder(_ point: [UInt8]) -> Bool {
        guard let last = point.last else { return false }
        return smallOrders.contains(point.dropLast() + [last & 0x7F])
    }
}
