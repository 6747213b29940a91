/// The account of a verified identity, for which a session is issued.
///
/// Without an account store, each identity is its own account with a uid derived from
/// issuer and subject.
package struct AccountOutcome: Sendable {
    package let uid: String
    package let identity: ProviderIdentity

    /// The account of an identity without an account store.
    package init(withoutStore identity: ProviderIdentity) {
        self.uid = UserID.derived(issuer: identity.issuer, subject: identity.subject)
        self.identity = identity
    }
}
