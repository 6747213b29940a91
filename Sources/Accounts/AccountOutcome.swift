/// An identity that a provider proved: `VerifiedIdentity` of SignIn, which no other module can make.
///
/// Accounts cannot import SignIn, so it takes the proof through this protocol. `scripts/proofs` refuses a second conformance.
package protocol IdentityProof: Sendable {
    var identity: ProviderIdentity { get }
}

/// The account of a verified identity, for which a session is issued.
///
/// `AccountService` makes it after the store has written the sign-in. Without an account store, each identity is its own account with a uid
/// derived from issuer and subject.
package struct AccountOutcome: Sendable {
    package let uid: String
    package private(set) var identity: ProviderIdentity
    /// The account in the store; nil without a store.
    package let account: Account?
    /// How the account was reached; nil without a store.
    package let kind: PlannedSignIn.Kind?
    /// When the session begins, Unix milliseconds: the time that the store wrote. Nil without a store, and for
    /// one request.
    package let startsAt: Int64?
    /// Whether the account's other sessions have ended with it.
    package let hasEndedSessions: Bool

    /// The account of an identity without an account store.
    package init(withoutStore proof: some IdentityProof) { self.init(supposing: proof.identity) }

    /// The account of an identity that nobody proved: for `gateway trace` and tests. `scripts/proofs` refuses other callers.
    package init(supposing identity: ProviderIdentity) {
        self.uid = UserID.derived(issuer: identity.issuer, subject: identity.subject)
        self.identity = identity
        account = nil
        kind = nil
        startsAt = nil
        hasEndedSessions = false
    }

    /// The account of a sign-in that the store has written. Only `AccountService` makes it.
    init(
        written account: Account, identity: ProviderIdentity, kind: PlannedSignIn.Kind, startsAt: Int64?, hasEndedSessions: Bool = false
    ) {
        uid = account.uid
        self.identity = identity
        self.account = account
        self.kind = kind
        self.startsAt = startsAt
        self.hasEndedSessions = hasEndedSessions
    }

    /// The same account with the claims and groups of `reduced`, for a session that keeps only some of them.
    package func keeping(_ reduced: ProviderIdentity) -> AccountOutcome {
        var kept = self
        kept.identity.claims = reduced.claims
        kept.identity.groups = reduced.groups
        return kept
    }
}
