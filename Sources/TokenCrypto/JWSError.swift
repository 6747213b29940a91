/// The reason why a JWS was rejected; one case per reason, safe to log.
package enum JWSError: Error, Sendable, Equatable {
    /// The problem; never quotes the input.
    case malformed(String)
    case tooLarge
    case algorithmNotAllowed
    case criticalHeader
    /// No key of the set has the token's `kid`.
    case unknownKeyID
    case noUsableKey
    case signatureInvalid

    /// True if the issuer may have changed its keys since the set was fetched, so that fetching again may help.
    package var mayBeDueToOldKeys: Bool {
        switch self {
        case .unknownKeyID, .noUsableKey, .signatureInvalid: true
        case .malformed, .tooLarge, .algorithmNotAllowed, .criticalHeader: false
        }
    }
}
