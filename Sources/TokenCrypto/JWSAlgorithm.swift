/// The supported JWS `alg` values (RFC 7518 section 3.1, RFC 8037), without `none`.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    package var isSymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: true
        default: false
        }
    }

    /// Nil for EdDSA, which includes hashing.
    var digest: DigestAlgorithm? {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .hs512: .sha512
        case .edDSA: nil
        }
    }

    var isRSAPSS: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        default: false
        }
    }

    /// Returns whether this algorithm works with keys of this kind (RFC 8725 section 3.1).
    func fits(_ kind: KeyKind) -> Bool {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: kind == .rsa
        case .es256: kind == .ec(.p256)
        case .es384: kind == .ec(.p384)
        case .es512: kind == .ec(.p521)
        case .edDSA: kind == .ed25519 || kind == .ed448
        case .hs256, .hs384, .hs512: false
        }
    }
}
