import TokenCrypto

/// A credential's public key in the form of COSE (RFC 9052 section 7, RFC 9053 section 7, RFC 8230, WebAuthn section 6.5.1.1).
package struct COSEKey: Sendable {
    /// The algorithms that are accepted, the preferred one first: ES256, EdDSA, RS256 (IANA's registry of COSE algorithms).
    package static let algorithms: [Int64] = [-7, -8, -257]

    package let algorithm: Int64
    private let key: CredentialKey

    /// The key of an encoded map, with nothing after it.
    package init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        let value: CBORValue
        do throws(CBORError) { value = try CBORDecoder.decode(bytes) } catch { throw .malformed("the public key: \(error.reason)") }
        try self.init(value)
    }

    init(_ value: CBORValue) throws(WebAuthnError) {
        guard let map = value.map else { throw .malformed("the public key is no map") }
        // WebAuthn section 6.5.1.1: `alg` is required, and optional parameters are not allowed.
        let numbers: CredentialKey.Numbers
        let names: Set<Int>
        switch (map[.integer(1)], map[.integer(3)]) {
        case (.integer(2), .integer(-7)):
            guard map[.integer(-1)] == .integer(1), let x = map[.integer(-2)]?.bytes, let y = map[.integer(-3)]?.bytes, x.count == 32,
                y.count == 32
            else { throw .malformed("the public key is no point of P-256") }
            (algorithm, numbers, names) = (-7, .es256(x: x, y: y), [1, 3, -1, -2, -3])
        case (.integer(3), .integer(-257)):
            guard let modulus = map[.integer(-1)]?.bytes, let exponent = map[.integer(-2)]?.bytes, !modulus.isEmpty, !exponent.isEmpty
            else { throw .malformed("the public key has no modulus or exponent") }
            (algorithm, numbers, names) = (-257, .rs256(modulus: modulus, exponent: exponent), [1, 3, -1, -2])
        case (.integer(1), .integer(-8)):
            guard map[.integer(-1)] == .integer(6), let x = map[.integer(-2)]?.bytes, x.count == 32 else {
                throw .malformed("the public key is no point of Ed25519")
            }
            (algorithm, numbers, names) = (-8, .ed25519(x), [1, 3, -1, -2])
        default: throw .algorithm
        }
        guard Set(map.keys) == Set(names.map(CBORValue.integer)) else { throw .malformed("the public key has other parameters") }
        guard let key = CredentialKey(numbers) else { throw .malformed("the public key is not valid") }
        self.key = key
    }

    /// Whether this is a signature of the message, in the form of WebAuthn section 6.5.5.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
}
