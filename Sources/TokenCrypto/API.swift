// Signatures other rooms build against; each moves to its own file with its implementation.

/// AES-256-GCM with a random 96-bit nonce per seal, over a ring of keys: the first seals, every one opens.
///
/// Sealed form: version byte 1 ‖ 4-byte key id (from the key's hash) ‖ nonce ‖ ciphertext ‖ 16-byte tag.
package struct SealingKeyRing: Sendable {
    /// `keys`: at least one, at least 32 bytes each; each is stretched with HKDF under `purpose`, so that one
    /// configured key never serves two purposes.
    package init(keys: [[UInt8]], purpose: String) { fatalError() }
    package func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] { fatalError() }
    /// nil for every failure alike.
    package func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? { fatalError() }
}

/// JWS `alg` values we can verify (RFC 7518 section 3.1, RFC 8037). `none` does not exist here.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
    case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
    case es256 = "ES256", es384 = "ES384", es512 = "ES512"
    case edDSA = "EdDSA"
    case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"
    package var isSymmetric: Bool { fatalError() }
}

/// Why a JWS was refused; one case a reason, safe to log.
package enum JWSError: Error, Sendable, Equatable {
    case malformed(String)
    case tooLarge
    case algorithmNotAllowed
    case criticalHeader
    /// No key of the set has the token's `kid`: worth one refetch.
    case unknownKeyID
    case noUsableKey
    case signatureInvalid
}

/// A compact JWS taken apart, nothing verified. Never trust `payload` of this.
package struct UnverifiedJWS: Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    package let header: JSONValue
    package let payload: JSONValue
    /// Refuses: not three parts, over 64 KiB, bad base64url, header or payload not a JSON object, duplicate members,
    /// a missing `alg`, `enc` or `zip` in the header.
    package init(compact: String) throws(JWSError) { fatalError() }

    /// The payload once the signature holds with a key of `keys` that fits `alg`, `use`, `key_ops` and `kid`.
    ///
    /// `alg` must be in `allowed`; HS* verifies with `secret` alone. A `kid` that no key has is `.unknownKeyID`,
    /// never another key. Without `kid` every fitting key is tried, at most 16. `jku`, `x5u`, `jwk`, `x5c` are ignored.
    package func verified(with keys: JWKSet, secret: [UInt8]?, allowed: Set<JWSAlgorithm>) throws(JWSError) -> JSONValue {
        fatalError()
    }
}

/// A JWK set read leniently: a key that we cannot use is left out with a reason, the rest stay.
package struct JWKSet: Sendable {
    package struct Skipped: Sendable, Equatable { package var keyID: String?; package var reason: String }
    package let skipped: [Skipped]
    package var count: Int { fatalError() }
    package init(parsing json: JSONValue) throws(JWSError) { fatalError() }
    package static var empty: JWKSet { fatalError() }
}

/// A private key that signs.
package struct SigningKey: Sendable {
    package let keyID: String
    package let algorithm: JWSAlgorithm
    /// A fresh key. RSA is 2048 bits.
    package static func generate(_ algorithm: JWSAlgorithm, keyID: String? = nil) -> SigningKey { fatalError() }
    /// PKCS#8 or traditional PEM; refuses a key whose type does not fit the algorithm. `keyID` nil: the RFC 7638 thumbprint.
    package init(pem: String, algorithm: JWSAlgorithm, keyID: String? = nil) throws(JWSError) { fatalError() }
    package var pem: String { fatalError() }
    /// The public half as a JWK with `kid`, `use: sig`, `alg`.
    package var publicJWK: JSONValue { fatalError() }
    /// Compact serialisation. `header` members are added to `alg` and `kid`.
    package func sign(payload: JSONValue, header: [String: JSONValue] = [:]) -> String { fatalError() }
    /// Compact serialisation of exact payload bytes, for tests of malformed tokens.
    package func sign(payloadBytes: [UInt8], header: [String: JSONValue]) -> String { fatalError() }
}

package enum HMACSigner {
    /// Compact JWS with HS256/384/512.
    package static func sign(payload: JSONValue, algorithm: JWSAlgorithm, secret: [UInt8], header: [String: JSONValue] = [:]) -> String {
        fatalError()
    }
}
