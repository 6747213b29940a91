/// The account a verified identity belongs to: what a session is issued for.
///
/// Without an account store each identity is its own account, and its uid is derived from
/// issuer and subject.
package struct AccountOutcome: Sendable {
    package let uid: String
    package let identity: ProviderIdentity

    /// The account of an identity where no account store is configured.
    package init(withoutStore identity: ProviderIdentity) {
        self.uid = UserID.derived(issuer: identity.issuer, subject: identity.subject)
        self.identity = identity
    }
}
