/// What a session proves about its user, for a change of the own account.
package struct SessionProof: Sendable, Equatable {
    /// The provider that the session was made with.
    package let provider: String
    /// When the session began, Unix milliseconds.
    package let issuedAt: Int64
    /// When the user last signed in, Unix milliseconds.
    package let authTime: Int64
    /// Whether the user has shown a second factor in this session.
    package let hasShownFactor: Bool

    package init(provider: String, issuedAt: Int64, authTime: Int64, hasShownFactor: Bool) {
        self.provider = provider
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.hasShownFactor = hasShownFactor
    }
}

extension AccountRules {
    /// Whether the account has second factors that protect it.
    func isProtected(_ account: Account) -> Bool { policy.countsFactors && account.hasFactors }

    func isProtected(_ facts: AccountFactors) -> Bool { policy.countsFactors && !facts.factors.isEmpty }

    /// Whether a session may change what opens its account, or who has it. `recent`: whether that needs a recent sign-in in any case.
    ///
    /// | account | sign-in | factor in the session | answer |
    /// |---|---|---|---|
    /// | any, and it has ended the session since | any | any | `session-expired` |
    /// | without second factors | recent, or none is needed | any | yes |
    /// | without second factors | not recent | any | `requires-recent-login` |
    /// | with second factors | not recent | any | `requires-recent-login`: the new sign-in shows a factor, too |
    /// | with second factors | recent | none | `multi-factor-auth-required` |
    /// | with second factors | recent | shown | yes |
    func require(_ proof: SessionProof, for account: Account, recent: Bool = true) throws(AccountError) {
        try require(proof, goesOnFor: account)
        try require(proof, isProtected: isProtected(account), recent: recent)
    }

    func require(_ proof: SessionProof, for facts: AccountFactors) throws(AccountError) {
        try require(proof, goesOnFor: facts.account)
        try require(proof, isProtected: isProtected(facts), recent: true)
    }

    /// A session that the account has ended since it was opened for the request changes nothing any more. The store refuses the change if the
    /// account ends it after this.
    func require(_ proof: SessionProof, goesOnFor account: Account) throws(AccountError) {
        guard !account.endings.cover(provider: proof.provider, issuedAt: proof.issuedAt) else {
            throw AccountError(.sessionExpired, reason: "the session has ended meanwhile")
        }
    }

    private func require(_ proof: SessionProof, isProtected: Bool, recent: Bool) throws(AccountError) {
        // A time in the future is a clock that runs ahead, and recent.
        guard !(recent || isProtected) || now - proof.authTime <= policy.recentLogin else { throw AccountError(.requiresRecentLogin) }
        guard !isProtected || proof.hasShownFactor else {
            throw AccountError(.multiFactorAuthRequired, reason: "the account has second factors, and the session has shown none")
        }
    }
}

extension AccountService {
    /// Whether a session may change what opens its account: the check before work that costs something, or a page that offers it. The change
    /// checks again.
    package func require(_ proof: SessionProof, for account: Account, now: Int64) throws(AccountError) {
        try rules(now).require(proof, for: account)
    }
}
