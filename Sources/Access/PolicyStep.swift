/// A failed condition of a rule. Names the condition and what was missing, never user data or a value that would
/// have passed.
package enum PolicyStep: Sendable, Hashable, CustomStringConvertible {
    case noEmail
    case emailNotVerified
    case emailMalformed
    case emailNotListed
    case noGroups
    case groupNotListed
    case userNotListed
    case providerNotListed
    case claimMissing(path: String)
    case claimNotListed(path: String)
    /// Milliseconds.
    case signInTooOld(maxAge: Int64)
    case secondFactorMissing
    case authenticationContextMissing(accepted: [String])
    case addressNotListed
    case addressUnknown
    case conditionFailed(ConditionRefusal)
    /// The reasons why each alternative failed.
    case noAlternative([[PolicyStep]])

    package var description: String {
        switch self {
        case .noEmail: "emails: the provider sent no address"
        case .emailNotVerified: "emails: the provider has not verified the address"
        case .emailMalformed: "emails: the address is not of the form local@domain"
        case .emailNotListed: "emails: the address is not listed"
        case .noGroups: "groups: the user is in no group"
        case .groupNotListed: "groups: none of the user's groups is listed"
        case .userNotListed: "users: the user's id is not listed"
        case .providerNotListed: "providers: the provider of this sign-in is not listed"
        case .claimMissing(let path): "claims: `\(path)` is missing"
        case .claimNotListed(let path): "claims: the value of `\(path)` is not listed"
        case .signInTooOld(let maxAge): "maxAge: the sign-in is older than \(maxAge / 1000) s"
        case .secondFactorMissing: "secondFactor: no second factor was used"
        case .authenticationContextMissing: "acr: the sign-in has none of the classes"
        case .addressNotListed: "networks: the client's address is in none of the networks"
        case .addressUnknown: "networks: the client has no IP address"
        case .conditionFailed(let refusal): "condition: \(refusal.text)"
        case .noAlternative(let alternatives): Self.text(of: alternatives, \.description)
        }
    }

    /// The text for the refused user: as `description`, without strings of conditions, which may be data about other users.
    package var userDescription: String {
        switch self {
        case .conditionFailed(let refusal): "condition: \(refusal.masked)"
        case .noAlternative(let alternatives): Self.text(of: alternatives, \.userDescription)
        default: description
        }
    }

    private static func text(of alternatives: [[PolicyStep]], _ text: (PolicyStep) -> String) -> String {
        "anyOf: "
            + (alternatives.isEmpty
                ? "no alternative is configured"
                : alternatives.enumerated().map { "(\($0.offset + 1)) " + $0.element.map(text).joined(separator: ", ") }
                    .joined(separator: "; "))
    }
}
