/// Passwords, addresses and the mails that prove them.
extension AccountRules {
    /// Whether `email` would be in the way of another account that gets it.
    private func isTaken(_ holders: [Account], besides uid: String?, withPassword: Bool) -> Bool {
        holders.contains { $0.uid != uid && (policy.onePerEmail || (withPassword && $0.hasPassword)) }
    }

    /// Nil: an account has the address, and nothing happens. The answer to the client is the same.
    ///
    /// `facts.account`: the anonymous account that is upgraded, which keeps its uid.
    func signUp(
        _ email: EmailAddress, name: String?, _ hash: PasswordHash, upgrades: Bool, _ facts: AccountFacts, _ fresh: Fresh
    ) throws(AccountError) -> Plan? {
        guard policy.signUp == .open else { throw AccountError(.adminRestrictedOperation) }
        if upgrades {
            let before = try live(facts.account)
            guard before.isAnonymous else { throw AccountError(.providerAlreadyLinked, reason: "the account is not anonymous") }
            guard !isTaken(facts.holders, besides: before.uid, withPassword: true) else { return nil }
            var account = before.changed
            account.email = email
            account.verification = nil
            account.name = ProfileText.kept(name) ?? before.name
            account.hasPassword = true
            account.isAnonymous = false
            return Plan(account: account, changes: changes { $0.accounts = [.save(account, before: before, .set(hash))] })
        }
        guard !isTaken(facts.holders, besides: nil, withPassword: true) else { return nil }
        let account = Account(uid: fresh.uid, email: email, name: ProfileText.kept(name), createdAt: now, hasPassword: true)
        return Plan(account: account, changes: changes { $0.accounts = [.insert(account, hash)] })
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
        let changes = changes {
            $0.accounts = [.save(account, before: before, .set(hash))]
            $0.endings = [ending(of: before, keep: keep)]
            $0.cancelledTokens = [before.uid]
        }
        return Plan(account: account, changes: changes)
    }

    /// Whether a token that changes the address may be mailed. False: another account has the address; the answer is the same.
    func mayChange(to email: EmailAddress, _ facts: AccountFacts, by proof: SessionProof) throws(AccountError) -> Bool {
        let account = try live(facts.account)
        try require(proof, for: account)
        return !isTaken(facts.holders, besides: account.uid, withPassword: account.hasPassword)
    }

    /// The address is the one that the token was mailed to, and proven by it.
    func changeEmail(_ facts: AccountFacts, keep: String?) throws(AccountError) -> Plan {
        let (before, token) = try redeemed(.change, facts)
        guard !isTaken(facts.holders, besides: before.uid, withPassword: before.hasPassword) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        account.email = token.email
        account.verification = .mail
        let changes = changes {
            $0.accounts = [.save(account, before: before, .keep)]
            $0.usedToken = token.digest
            $0.endings = [ending(of: before, keep: keep)]
            $0.cancelledTokens = [before.uid]
        }
        return Plan(account: account, changes: changes)
    }

    func verifyEmail(_ facts: AccountFacts) throws(AccountError) -> Plan {
        let (before, token) = try redeemed(.verify, facts)
        guard before.email == token.email else { throw AccountError(.invalidToken) }
        guard !isTaken(facts.holders, besides: before.uid, withPassword: before.hasPassword) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        account.verification = .mail
        let changes = changes {
            $0.accounts = [.save(account, before: before, .keep)]
            $0.usedToken = token.digest
        }
        return Plan(account: account, changes: changes)
    }

    /// A mailed token sets the password, and proves the address.
    ///
    /// If nobody had proven it, identities that do not vouch for the address may be an attacker's, who made the account before its user
    /// came: they are removed. Second factors stay, and the next sign-in asks for one: a mailbox is no second factor.
    func resetPassword(_ hash: PasswordHash, _ facts: AccountFacts) throws(AccountError) -> Plan {
        let (before, token) = try redeemed(.reset, facts)
        guard before.email == token.email else { throw AccountError(.invalidToken) }
        guard !isTaken(facts.holders, besides: before.uid, withPassword: true) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        account.hasPassword = true
        account.isAnonymous = false
        account.verification = .mail
        if !isProven(before.verification) {
            account.identities.removeAll { !($0.emailVerified && $0.email == before.email) || !vouches($0.provider, token.email) }
        }
        let changes = changes {
            $0.accounts = [.save(account, before: before, .set(hash))]
            $0.usedToken = token.digest
            $0.endings = [ending(of: before)]
            $0.cancelledTokens = [before.uid]
        }
        return Plan(account: account, changes: changes)
    }

    /// With `trusted-domains`, a stored identity vouches only if its provider runs the mailbox by the domain alone.
    private func vouches(_ provider: String, _ email: EmailAddress) -> Bool {
        guard policy.linking == .trustedDomains else { return true }
        return policy.runsMailbox(
            ProviderIdentity(provider: provider, issuer: "", subject: "", email: email.text, emailVerified: true))
    }

    /// The account of a valid token.
    private func redeemed(_ purpose: MailTokenPurpose, _ facts: AccountFacts) throws(AccountError) -> (Account, MailTokenRecord) {
        guard let token = facts.token, token.purpose == purpose, now < token.expiresAt, let account = facts.account,
            account.uid == token.uid
        else { throw AccountError(.invalidToken) }
        guard !account.isDisabled else { throw AccountError(.userDisabled) }
        return (account, token)
    }
}
