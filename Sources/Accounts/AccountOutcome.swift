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
    /// Unix milliseconds: the session's start must not be earlier, or the ending of the other sessions ends it, too. Nil: no condition.
    package let sessionNotBefore: Int64?

    /// The account of an identity without an account store.
    package init(withoutStore proof: some IdentityProof) { self.init(supposing: proof.identity) }

    /// The account of an identity that nobody proved: for `gateway trace` and tests. `scripts/proofs` refuses other callers.
    package init(supposing identity: ProviderIdentity) {
        self.uid = UserID.derived(issuer: identity.issuer, subject: identity.subject)
        self.identity = identity
        account = nil
        kind = nil
        sessionNotBefore = nil
    }

    /// The account of a sign-in that the store has written. Only `AccountService` makes it.
    init(written account: Account, identity: ProviderIdentity, kind: PlannedSignIn.Kind, endings: [SessionEnding] = []) {
        uid = account.uid
        self.identity = identity
        self.account = account
        self.kind = kind
        sessionNotBefore = endings.map { $0.before + 1 }.max()
    }

    /// The same account with the claims and groups of `reduced`, for a session that keeps only some of them.
    package func keeping(_ reduced: ProviderIdentity) -> AccountOutcome {
        var kept = self
        kept.identity.claims = reduced.claims
        kept.identity.groups = reduced.groups
        return kept
    }
}
