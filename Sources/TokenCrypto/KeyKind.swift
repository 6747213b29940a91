/// The kind of an asymmetric key, which decides the possible `alg` values.
enum KeyKind: Sendable, Equatable {
    case rsa
    case ec(EllipticCurve)
    case ed25519
    case ed448
}

/// The curves of RFC 7518 section 6.2.1.1; the raw value is the JWK `crv`.
enum EllipticCurve: String, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// OpenSSL's name for the group.
    var groupName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }

    /// The number of bytes of a coordinate, and of each half of a signature.
    var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
