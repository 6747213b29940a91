package import Accounts
import TokenCrypto

/// Selects the parts of a sign-in that a session keeps: those that the configuration uses.
package struct SessionContents: Sendable {
    private let keepsAccessToken: Bool
    /// First members of the claim paths that rules and headers read; nil: all of them.
    private let referencedClaims: Set<String>?
    /// Groups that a rule names; nil: a rule reads all of them.
    private let referencedGroups: Set<String>?
    /// By provider: the claim at the top level that holds its groups.
    private let groupClaims: [String: String]
    /// Bytes of claims that nothing reads, kept for the templates of tomorrow.
    private static let profileBudget = 2048

    package init(
        keepsAccessToken: Bool, referencedClaims: Set<String>?, referencedGroups: Set<String>?, groupClaims: [String: String]
    ) {
        self.keepsAccessToken = keepsAccessToken
        self.referencedClaims = referencedClaims
        self.referencedGroups = referencedGroups
        self.groupClaims = groupClaims
    }

    /// Keeps the access token out of sessions from which nothing reads it: it is a secret and mostly the largest part.
    package func tokens(_ tokens: Session.Tokens) -> Session.Tokens {
        guard !keepsAccessToken else { return tokens }
        var kept = tokens
        kept.accessToken = nil
        // The key of bound tokens is for the refresh token; without one nothing is proven any more.
        if kept.refreshToken == nil { kept.proofKey = nil }
        return kept
    }

    /// The identity with the raw profile cut to size: what rules and headers read stays, of the rest the shortest claims up to
    /// `profileBudget` bytes. The claim that `groups` were taken from is not kept twice.
    package func kept(_ identity: ProviderIdentity) -> ProviderIdentity {
        var kept = identity
        var claims: [String: JSONValue] = [:]
        var rest: [(name: String, value: JSONValue, size: Int)] = []
        let groups = groupClaims[identity.provider]
        for (name, value) in identity.claims.object ?? [:] {
            if referencedClaims?.contains(name) ?? true || name == "sub" {
                claims[name] = value
            } else if name != groups {
                rest.append((name, value, name.utf8.count + value.serializedBytes().count))
            }
        }
        var budget = Self.profileBudget
        for claim in rest.sorted(by: { ($0.size, $0.name) < ($1.size, $1.name) }) {
            guard claim.size <= budget else { break }
            budget -= claim.size
            claims[claim.name] = claim.value
        }
        kept.claims = .object(claims)
        return kept
    }

    /// For a session that does not fit all the same: no claims but those that rules and headers read, and no groups but those that
    /// rules name.
    package func reduced(_ identity: ProviderIdentity) -> ProviderIdentity {
        var reduced = identity
        reduced.claims = .object((identity.claims.object ?? [:]).filter { referencedClaims?.contains($0.key) ?? true || $0.key == "sub" })
        if let referencedGroups { reduced.groups = identity.groups.filter(referencedGroups.contains) }
        return reduced
    }
}
