/// Why a JWS was refused; one case a reason, safe to log.
package enum JWSError: Error, Sendable, Equatable {
    /// Says what is wrong; never quotes the input.
    case malformed(String)
    case tooLarge
    case algorithmNotAllowed
    case criticalHeader
    /// No key of the set has the token's `kid`: worth one refetch.
    case unknownKeyID
    case noUsableKey
    case signatureInvalid
}
