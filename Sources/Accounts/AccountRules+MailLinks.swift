/// What shows that the user who opened a mail's link also has the account. The mail alone shows only who reads it.
package enum MailConfirmation: Sendable {
    /// A session of this account.
    case session(uid: String, SessionProof)
    /// A password that matched, of the account or of the registration that waits for this mail.
    case password(VerifiedPassword)
}

/// The meaning of "it was not me" on the page of a mail's link.
package enum MailRefusal: Sendable, Equatable {
    /// Nobody proved an address of the account yet, so a stranger may have made it. The owner of the address gets it.
    case takesOver
    /// Only the link ends.
    case cancels
}

/// The links of mails that confirm an address (contract section 8).
///
/// | mail | confirmed by the account's user | refused |
/// |---|---|---|
/// | `verify`, no address of the account proven | the address is proven, everything stays | the owner of the address takes the account over |
/// | `verify`, proven meanwhile | the same | the link ends |
/// | `change` | the account has the address, its other sessions end | the link ends |
/// | `upgrade` | the anonymous account has the address and the password | the link ends, the account stays anonymous |
/// | `reset` | sets the password: `resetPassword` | the link ends |
extension AccountRules {
    /// Whether the link still does what it was mailed for.
    func isUsable(_ token: MailTokenRecord, _ account: Account) -> Bool {
        guard now < token.expiresAt, account.uid == token.uid else { return false }
        return switch token.purpose {
        case .verify, .reset: account.email == token.email
        case .change: !account.isAnonymous
        case .upgrade: account.isAnonymous && token.passwordHash != nil
        }
    }

    func refusal(_ token: MailTokenRecord, _ account: Account) -> MailRefusal {
        token.purpose == .verify && !account.isDisabled && !isProven(account.verification) ? .takesOver : .cancels
    }

    /// The account of a link that still works.
    func redeemed(_ purposes: Set<MailTokenPurpose>, _ facts: AccountFacts) throws(AccountError) -> (Account, MailTokenRecord) {
        guard let token = facts.token, purposes.contains(token.purpose), let account = facts.account, isUsable(token, account) else {
            throw AccountError(.invalidToken)
        }
        guard !account.isDisabled else { throw AccountError(.userDisabled) }
        return (account, token)
    }

    // MARK: Confirming

    /// The address is the one that the token was mailed to, and the user of the account has read the mail.
    func confirm(_ confirmation: MailConfirmation, _ facts: AccountFacts) throws(AccountError) -> Plan {
        let (before, token) = try redeemed([.verify, .change, .upgrade], facts)
        let password = try password(of: confirmation, before, token)
        let withPassword = before.hasPassword || token.purpose == .upgrade
        guard !isTaken(facts.holders, besides: before.uid, withPassword: withPassword) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        if token.purpose != .verify {
            account.email = token.email
            account.verification = nil
        }
        proveByMail(&account)
        if token.purpose == .upgrade {
            account.hasPassword = true
            account.isAnonymous = false
        }
        let last = token.purpose == .change ? end(&account, of: before) : nil
        let changes = changes {
            $0.accounts = [.save(account, before: before, password)]
            $0.usedToken = token.digest
            guard token.purpose != .verify else { return }
            $0.cancelledTokens = [.all(uid: before.uid)]
            $0.endings = last.map { [$0] } ?? []
        }
        return Plan(account: account, changes: changes)
    }

    /// The change of the password hash that comes with a confirmation.
    private func password(
        of confirmation: MailConfirmation, _ account: Account, _ token: MailTokenRecord
    ) throws(AccountError) -> AccountChanges.Password {
        var renewed: PasswordHash?
        switch confirmation {
        case .session(let uid, let proof):
            guard uid == account.uid else { throw AccountError(.userMismatch) }
            try require(proof, goesOnFor: account)
        case .password(let password):
            guard password.uid == account.uid, token.purpose != .upgrade || password.hash == token.passwordHash else {
                throw AccountError(.invalidCredential)
            }
            renewed = password.renewed
        }
        guard let hash = renewed ?? token.passwordHash else { return .keep }
        return .set(hash)
    }

    // MARK: Refusing

    /// "I did not create this account": the reader of the mail owns the address, and everything that opened the account may be somebody
    /// else's. `next`: the token that leads to a new password.
    func takeOver(_ next: MailTokenRecord, _ facts: AccountFacts) throws(AccountError) -> Plan {
        let (before, token) = try redeemed([.verify], facts)
        guard refusal(token, before) == .takesOver else { throw AccountError(.invalidToken) }
        guard !isTaken(facts.holders, besides: before.uid, withPassword: false) else { throw AccountError(.emailAlreadyInUse) }
        var account = before.changed
        account.identities.removeAll { !vouches($0, for: token.email) }
        account.hasPassword = false
        account.isAnonymous = false
        account.name = account.identities.lazy.compactMap(\.name).first
        account.picture = nil
        proveByMail(&account)
        let last = end(&account, of: before)
        let changes = changes {
            $0.accounts = [.save(account, before: before, .remove)]
            $0.factors = [.removeAll(uid: before.uid)]
            $0.usedToken = token.digest
            $0.endings = [last]
            $0.cancelledTokens = [.all(uid: before.uid)]
            $0.issuedToken = next
        }
        return Plan(account: account, changes: changes)
    }

    // MARK: Cancelling

    /// The mails that a change of the account cancels: all of them, because the address is proven, or an operator asks for it.
    ///
    /// While no address of the account was ever proven, a session may be that of a stranger who entered the address. The mails that went to
    /// that address are better proof than the session: no operation of it cancels them.
    func cancelled(of account: Account, bySession: Bool) -> CancelledTokens {
        bySession && !isProven(account.verification) ? .allButOwners(uid: account.uid) : .all(uid: account.uid)
    }

    // MARK: Identities

    /// Whether a stored identity shows that its user owns the address.
    ///
    /// With `trusted-domains`, only if its provider runs the mailbox by the domain alone.
    func vouches(_ identity: LinkedIdentity, for email: EmailAddress) -> Bool {
        guard identity.emailVerified, identity.email == email else { return false }
        guard policy.linking == .trustedDomains else { return true }
        return policy.runsMailbox(
            ProviderIdentity(provider: identity.provider, issuer: "", subject: "", email: email.text, emailVerified: true))
    }

    /// Whether the owner of the account's address had proven it before the identity was linked, and so linked it, or let it be linked.
    func wasProven(_ account: Account, before identity: LinkedIdentity) -> Bool {
        guard isProven(account.verification), let provenAt = account.provenAt else { return false }
        return provenAt <= identity.linkedAt
    }
}
