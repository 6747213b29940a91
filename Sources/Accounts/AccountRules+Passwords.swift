/// Passwords, addresses and the mails that prove them.
extension AccountRules {
    /// Whether `email` would be in the way of another account that gets it.
    func isTaken(_ holders: [Account], besides uid: String?, withPassword: Bool) -> Bool {
        holders.contains { $0.uid != uid && (policy.onePerEmail || (withPassword && $0.hasPassword)) }
    }

    /// Nil: an account has the address, and nothing happens. The answer to the client is the same.
    ///
    /// `facts.account`: the anonymous account that is to be upgraded, which keeps its uid. Nothing of it changes before the mail's link is
    /// confirmed: the plan's account is what it will be then.
    func signUp(
        _ email: EmailAddress, name: String?, _ hash: PasswordHash, upgrades: Bool, _ facts: AccountFacts, _ fresh: Fresh
    ) throws(AccountError) -> Plan? {
        guard policy.signUp == .open else { throw AccountError(.adminRestrictedOperation) }
        if upgrades {
            let before = try live(facts.account)
            guard before.isAnonymous else { throw AccountError(.providerAlreadyLinked, reason: "the account is not anonymous") }
            guard !isTaken(facts.holders, besides: before.uid, withPassword: true) else { return nil }
            return Plan(account: registered(before.uid, email, name: nil), changes: changes { _ in })
        }
        guard !isTaken(facts.holders, besides: nil, withPassword: true) else { return nil }
        let account = registered(fresh.uid, email, name: name)
        return Plan(account: account, changes: changes { $0.accounts = [.insert(account, hash)] })
    }

    /// The account of a registration.
    func registered(_ uid: String, _ email: EmailAddress, name: String?) -> Account {
        Account(uid: uid, email: email, name: ProfileText.kept(name), createdAt: now, hasPassword: true)
    }

    /// The account that a reset of the password is mailed to; nil without one.
    func resetTarget(_ holders: [Account]) -> Account? {
        let target = holders.first { $0.hasPassword } ?? holders.first { policy.onePerEmail || $0.emailVerified }
        return target?.isDisabled == false ? target : nil
    }

    /// Sets the first password, or another one.
    func setPassword(
        _ hash: PasswordHash, _ facts: AccountFacts, by proof: SessionProof?, keep: String?
    ) throws(AccountError) -> Plan {
        guard let before = facts.account else { throw AccountError(.invalidCredential, reason: "the account does not exist") }
        if let proof { try require(proof, for: try live(before)) }
        guard before.email != nil else { throw AccountError(.unverifiedEmail, reason: "a password needs an address") }
        guard before.hasPassword || !isTaken(facts.holders.filter(\.hasPassword), besides: before.uid, withPassword: true) else {
            throw AccountError(.emailAlreadyInUse)
        }
        var account = before.changed
        account.hasPassword = true
        account.isAnonymous = false
        let last = end(&account, of: before, keep: keep)
        let changes = changes {
            $0.accounts = [.save(account, before: before, .set(hash))]
            $0.endings = [last]
            $0.cancelledTokens = [cancelled(of: before, bySession: proof != nil)]
        }
        return Plan(account: account, changes: changes)
    }

    /// Whether a token that changes the address may be mailed. False: another account has the address; the answer is the same.
    func mayChange(to email: EmailAddress, _ facts: AccountFacts, by proof: SessionProof) throws(AccountError) -> Bool {
        let account = try live(facts.account)
        guard !account.isAnonymous else {
            throw AccountError(.operationNotAllowed, reason: "an anonymous account gets an address by /sign-up")
        }
        try require(proof, for: account)
        return !isTaken(facts.holders, besides: account.uid, withPassword: account.hasPassword)
    }

    /// A mailed token sets the password, and proves the address.
    ///
    /// An identity that does not vouch for the address, and was linked before the address was proven, may be an attacker's who made the
    /// account, or changed its address, before the owner came: it is removed. Second factors stay, and the next sign-in asks for one: a
    /// mailbox is no second factor.
    func resetPassword(_ hash: PasswordHash, _ facts: AccountFacts) throws(AccountError) -> Plan {
        let (before, token) = try redeemed([.reset], facts)
        guard !isTaken(facts.holders, besides: before.uid, withPassword: true) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        account.hasPassword = true
        account.isAnonymous = false
        account.identities.removeAll { !vouches($0, for: token.email) && !wasProven(before, before: $0) }
        proveByMail(&account)
        let last = end(&account, of: before)
        let changes = changes {
            $0.accounts = [.save(account, before: before, .set(hash))]
            $0.usedToken = token.digest
            $0.endings = [last]
            $0.cancelledTokens = [.all(uid: before.uid)]
        }
        return Plan(account: account, changes: changes)
    }
}
