/// Why a JWS was refused; one case a reason, safe to log.
package enum JWSError: Error, Sendable, Equatable {
    /// Says what is wrong; never quotes the input.
    case malformed(String)
    case tooLarge
    case algorithmNotAllowed
    case criticalHeader
    /// No key of the set has the token's `kid`.
    case unknownKeyID
    case noUsableKey
    case signatureInvalid

    /// Whether the issuer may have changed its keys since the set was fetched: then another fetch may help.
    package var mayBeDueToOldKeys: Bool {
        switch self {
        case .unknownKeyID, .noUsableKey, .signatureInvalid: true
        case .malformed, .tooLarge, .algorithmNotAllowed, .criticalHeader: false
        }
    }
}
