import Accounts
import Access
import Config
import Sessions
import TokenCrypto

/// What a session keeps of what a sign-in brought: no more than the configuration makes use of.
struct SessionContents: Sendable {
    private let keepsAccessToken: Bool
    /// First members of the claim paths that rules and headers read.
    private let referencedClaims: Set<String>

    /// `edits`: the request headers that routes set.
    init(_ configuration: Configuration, _ headers: IdentityHeaders, _ edits: [RequestHeaderEdits] = []) {
        keepsAccessToken = headers.usesAccessToken || edits.contains(where: \.usesAccessToken)
        var paths = headers.claimPaths + edits.flatMap(\.claimPaths)
        for route in configuration.routes { Self.collect(route.access, into: &paths) }
        // A path may name a member with dots in it, so each of its beginnings counts.
        referencedClaims = Set(
            paths.flatMap { path in
                let parts = path.split(separator: ".", omittingEmptySubsequences: false)
                return parts.indices.map { parts[...$0].joined(separator: ".") }
            })
    }

    private static func collect(_ rule: AccessRule, into paths: inout [String]) {
        switch rule {
        case .public, .authenticated: break
        case .anyOf(let rules): for rule in rules { collect(rule, into: &paths) }
        case .all(let conditions):
            paths += (conditions.claims ?? []).map(\.path)
            for rule in conditions.anyOf ?? [] { collect(rule, into: &paths) }
        }
    }

    /// The access token stays out of a session that nobody reads it from: it is the largest part of most, and a secret.
    func tokens(_ tokens: Session.Tokens) -> Session.Tokens {
        guard !keepsAccessToken else { return tokens }
        var kept = tokens
        kept.accessToken = nil
        // The key of bound tokens is for the refresh token; without one nothing is proven any more.
        if kept.refreshToken == nil { kept.proofKey = nil }
        return kept
    }

    /// For a session that does not fit: long claims that no rule and no header reads are left out.
    func reduced(_ identity: ProviderIdentity) -> ProviderIdentity {
        var reduced = identity
        let claims = (identity.claims.object ?? [:]).filter { name, value in
            referencedClaims.contains(name) || value.serialized().utf8.count <= 256
        }
        reduced.claims = .object(claims)
        return reduced
    }
}
