/// What a signed-in user does with the identities of the account.
extension AccountRules {
    /// Before the user is sent to the provider. `proof`: of the session; nil for an operator. It needs a recent sign-in only where the
    /// account has second factors.
    func mayLink(_ provider: String, to account: Account?, by proof: SessionProof?) throws(AccountError) {
        let account = try live(account)
        if let proof { try require(proof, for: account, recent: false) }
        guard account.identity(of: provider) == nil else { throw AccountError(.providerAlreadyLinked) }
    }

    /// The identity joins the account of the session.
    ///
    /// `begun`: when the user was sent to the provider, which is when the sign-in of the session had to be recent.
    func link(_ identity: ProviderIdentity, _ facts: AccountFacts, by proof: SessionProof?, begun: Int64) throws(AccountError) -> Plan {
        let account = try live(facts.account)
        try AccountRules(policy: policy, now: begun).mayLink(identity.provider, to: account, by: proof)
        guard facts.owner == nil else { throw AccountError(.credentialAlreadyInUse) }
        let linked = LinkedIdentity(identity, linkedAt: now)
        guard linked.key.isStorable else { throw Self.notStorable }
        return try joined(account, linked, identity, verification(by: identity, linked), holders: facts.holders)
    }

    private func joined(
        _ account: Account, _ linked: LinkedIdentity, _ identity: ProviderIdentity?, _ verification: EmailVerification?,
        holders: [Account]
    ) throws(AccountError) -> Plan {
        guard !policy.onePerEmail || holders.allSatisfy({ $0.uid == account.uid }) else { throw AccountError(.emailAlreadyInUse) }
        var after = account.joined(by: linked, identity)
        // The session of an anonymous user begins anew with it.
        if account.isAnonymous { after.lastSignInAt = account.latestSession(now: now) }
        if account.email == nil, let email = linked.email {
            after.email = email
            after.verification = verification
            after.provenAt = verification == nil ? nil : now
        } else if linked.email != nil, account.email == linked.email {
            prove(&after, by: verification)
        }
        return Plan(account: after, changes: changes { $0.accounts = [.save(after, before: account, .keep)] })
    }

    /// Links what met a conflict to the account that was in the way, whose user has signed in since and said so. Nil: it no longer applies.
    /// Throws where the session may not change the account.
    func redeem(
        _ pending: PendingCredential, signedIn uid: String, by proof: SessionProof, _ facts: AccountFacts
    ) throws(AccountError) -> Plan? {
        guard pending.uid == uid, now < pending.expiresAt, facts.owner == nil, let account = facts.account, !account.isDisabled,
            account.uid == uid, account.identity(of: pending.identity.provider) == nil
        else { return nil }
        try require(proof, for: account, recent: false)
        var linked = pending.identity
        linked.linkedAt = now
        let verification: EmailVerification? =
            linked.emailVerified ? .provider(linked.provider, runsMailbox: pending.payload.runsMailbox) : nil
        guard let plan = try? joined(account, linked, nil, verification, holders: facts.holders) else { return nil }
        var changes = plan.changes
        changes.once = pending.mark
        return Plan(account: plan.account, changes: changes)
    }

    /// Takes an identity, or with `password` the password, from the account, and ends the sessions that were made with it.
    func unlink(_ provider: String, _ account: Account?, by proof: SessionProof?) throws(AccountError) -> Plan {
        let account = try live(account)
        if let proof { try require(proof, for: account) }
        let isPassword = provider == ReservedProvider.password && account.hasPassword
        guard isPassword || account.identity(of: provider) != nil else { throw AccountError(.noSuchProvider) }
        guard policy.usable(account.providers).contains(where: { $0 != provider }) else { throw AccountError(.lastProvider) }
        var after = account.changed
        after.identities.removeAll { $0.provider == provider }
        if isPassword { after.hasPassword = false }
        let last = end(&after, of: account, provider: provider)
        let changes = changes {
            $0.accounts = [.save(after, before: account, isPassword ? .remove : .keep)]
            $0.endings = [last]
            if isPassword { $0.cancelledTokens = [cancelled(of: account, bySession: proof != nil)] }
        }
        return Plan(account: after, changes: changes)
    }

    /// Removes the account. `proof`: nil for an operator, who may remove a disabled one, too. The caller ends the session of an anonymous user
    /// before: a stranger can delete any number of such accounts, and an ending each would stay in the store.
    func delete(_ account: Account?, by proof: SessionProof?) throws(AccountError) -> Plan {
        guard let account else { throw AccountError(.invalidCredential, reason: "the account does not exist") }
        if let proof {
            try require(proof, goesOnFor: try live(account))
            // An anonymous user has nothing to sign in with again, and loses nothing that a sign-in protects.
            if !account.isAnonymous { try require(proof, for: account) }
        }
        var after = account
        let last = end(&after, of: account)
        let changes = changes {
            $0.accounts = [.delete(account)]
            // An anonymous user has one session, which the caller has ended.
            if proof == nil || !account.isAnonymous { $0.endings = [last] }
        }
        return Plan(account: after, changes: changes)
    }

    /// Disables or enables. Disabling ends the sessions and the mails that are under way.
    func setDisabled(_ isDisabled: Bool, _ account: Account?) throws(AccountError) -> Plan {
        guard let account else { throw AccountError(.invalidCredential, reason: "the account does not exist") }
        var after = account.changed
        after.isDisabled = isDisabled
        let last = isDisabled ? end(&after, of: account) : nil
        let changes = changes {
            $0.accounts = [.save(after, before: account, .keep)]
            guard let last else { return }
            $0.endings = [last]
            $0.cancelledTokens = [.all(uid: account.uid)]
        }
        return Plan(account: after, changes: changes)
    }

    /// Ends the sessions. The revision grows, so that sign-ins that wait for a factor end, too.
    func revoke(_ account: Account?) throws(AccountError) -> Plan {
        guard let account else { throw AccountError(.invalidCredential, reason: "the account does not exist") }
        var after = account.changed
        let last = end(&after, of: account)
        let changes = changes {
            $0.accounts = [.save(after, before: account, .keep)]
            $0.endings = [last]
        }
        return Plan(account: after, changes: changes)
    }
}
