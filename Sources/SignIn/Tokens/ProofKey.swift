import Primitives
import TokenCrypto

/// The P-256 key that a session's tokens are bound to (RFC 9449): made with the sign-in, kept as its secret scalar of 32 bytes in the sealed
/// sign-in and session, so that it outlives a restart and nobody else's tokens depend on it.
package struct ProofKey: Sendable {
    package let secret: [UInt8]
    private let key: SigningKey

    /// The order of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3): a scalar is smaller.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17,
        0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// A fresh key.
    package static func generate() -> ProofKey {
        // A random scalar is out of range once in 2^32 times.
        while true { if let key = ProofKey(secret: SecureRandom.bytes(32)) { return key } }
    }

    /// nil: not 32 bytes, or no scalar of the curve.
    package init?(secret: [UInt8]) {
        guard secret.count == 32, secret.contains(where: { $0 != 0 }), secret.lexicographicallyPrecedes(Self.order) else { return nil }
        // RFC 5915 section 3: version 1, the scalar, the curve; the public half is computed from it.
        let structure: [UInt8] =
            [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + secret + [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let pem = "-----BEGIN EC PRIVATE KEY-----\n\(Base64.encode(structure))\n-----END EC PRIVATE KEY-----\n"
        guard let key = try? SigningKey(pem: pem, algorithm: .es256) else { return nil }
        self.secret = secret
        self.key = key
    }

    /// RFC 7638, as `dpop_jkt` has it (RFC 9449 section 10).
    package var thumbprint: String { self.key.keyID }

    /// The proof for one request (RFC 9449 section 4.2). `url`: as it is called; query and fragment are cut off. `accessToken`: what goes
    /// along in `Authorization`. `now` in Unix milliseconds.
    package func proof(method: String, url: String, nonce: String?, accessToken: String? = nil, now: Int64) -> String {
        var claims: [String: JSONValue] = [
            "jti": .string(Base64URL.encode(SecureRandom.bytes(16))), "htm": .string(method),
            "htu": .string(String(url.prefix { $0 != "?" && $0 != "#" })), "iat": .integer(NumericDate.issued(at: now)),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["ath"] = .string(Base64URL.encode(SHA2.sha256(Array(accessToken.utf8)))) }
        let whole = self.key.publicJWK.object ?? [:]
        let bare = whole.filter { ["kty", "crv", "x", "y"].contains($0.key) }
        return self.key.sign(payload: .object(claims), header: ["typ": .string("dpop+jwt"), "jwk": .object(bare), "kid": .null])
    }
}
