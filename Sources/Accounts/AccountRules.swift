/// The decisions about accounts: pure functions of a policy, the facts that the store knows, and the time.
///
/// Each returns the changes that carry it out; the store refuses them if the facts have changed since.
struct AccountRules {
    let policy: AccountPolicy
    /// Unix milliseconds.
    let now: Int64

    /// Changes, and the account as it will be.
    struct Plan {
        let account: Account
        let changes: AccountChanges
    }

    /// Random values that a decision may need.
    struct Fresh {
        /// The uid of a new account.
        let uid: String
        /// The secret of a pending credential, 32 bytes.
        let pendingSecret: [UInt8]
    }

    // MARK: Sign-in

    /// The sign-in with an identity: contract section 8.
    ///
    /// | who has the identity | who has the address | `linking` | answer |
    /// |---|---|---|---|
    /// | an account | any | any | sign in; `user-disabled` if it is disabled |
    /// | nobody | nobody, or `onePerEmail: false` | any | create; `admin-restricted-operation` if `signUp` is closed |
    /// | nobody | an account | `never` | `email-already-in-use` |
    /// | nobody | an account | `confirm` | conflict |
    /// | nobody | an account | others, not vouched for, or recycled | conflict |
    /// | nobody | an account with second factors | others, vouched for | conflict: a factor is shown before it is linked |
    /// | nobody | an account, disabled | others, vouched for | `user-disabled` |
    /// | nobody | an account, address verified | others, vouched for | link |
    /// | nobody | an account, address not verified | others, vouched for | take over |
    func signIn(_ identity: ProviderIdentity, _ facts: AccountFacts, _ fresh: Fresh) -> SignInDecision {
        if let owner = facts.owner { return signIn(owner, identity, holders: facts.holders) }
        let linked = LinkedIdentity(identity, linkedAt: now)
        guard linked.key.isStorable else { return .refuse(Self.notStorable) }
        if policy.onePerEmail, let email = linked.email, let holder = facts.holders.first {
            return meeting(holder, identity, linked, email, fresh)
        }
        guard policy.signUp == .open else { return .refuse(AccountError(.adminRestrictedOperation)) }
        let account = Account(
            uid: fresh.uid, email: linked.email, verification: verification(by: identity, linked),
            provenAt: linked.emailVerified ? now : nil, name: linked.name, picture: ProfileText.keptURL(identity.picture), createdAt: now,
            lastSignInAt: now, identities: [linked])
        return .proceed(planned(.create, account, identity, changes { $0.accounts = [.insert(account, nil)] }))
    }

    /// A new identity whose address `holder` has.
    private func meeting(
        _ holder: Account, _ identity: ProviderIdentity, _ linked: LinkedIdentity, _ email: EmailAddress, _ fresh: Fresh
    ) -> SignInDecision {
        let isVouchedFor: Bool
        switch policy.linking {
        case .never: return .refuse(AccountError(.emailAlreadyInUse, status: 403))
        case .confirm: isVouchedFor = false
        case .verifiedEmail: isVouchedFor = linked.emailVerified
        case .trustedDomains: isVouchedFor = policy.runsMailbox(identity)
        }
        // Another identity of the same provider: the provider gave the address to a second user. Second factors: a provider's word about an
        // address is one factor, and neither replaces nor removes the other.
        guard isVouchedFor, !isProtected(holder), holder.identity(of: identity.provider) == nil else {
            let pending = PendingCredential(
                ConflictingIdentity(linked, runsMailbox: policy.runsMailbox(identity)), of: holder, now: now
            ) { _ in fresh.pendingSecret }
            return .conflict(
                AccountConflict(email: email, providers: linked.emailVerified ? policy.usable(holder.providers) : nil, pending: pending))
        }
        guard !holder.isDisabled else { return .refuse(AccountError(.userDisabled)) }
        return isProven(holder.verification) ? linking(holder, identity, linked) : takeOver(of: holder, identity, linked)
    }

    /// Whether the verification of an account's address counts against a provider that vouches for it now.
    ///
    /// With `trusted-domains`, the word of a provider that does not run the mailbox counts no more here than it does at the sign-in:
    /// else its user could make an account with the address of another user, and wait for the other one.
    func isProven(_ verification: EmailVerification?) -> Bool {
        switch verification {
        case nil: false
        case .mail, .operation: true
        case .provider(_, let runsMailbox): runsMailbox || policy.linking != .trustedDomains
        }
    }

    private func linking(_ holder: Account, _ identity: ProviderIdentity, _ linked: LinkedIdentity) -> SignInDecision {
        var account = holder.joined(by: linked, identity)
        prove(&account, by: verification(by: identity, linked))
        account.lastSignInAt = holder.latestSession(now: now)
        return .proceed(planned(.link, account, identity, changes { $0.accounts = [.save(account, before: holder, .keep)] }))
    }

    /// The provider proves that the address is this user's, and nobody proved it before: everything else that opens the account may be
    /// an attacker's, who made it before its user came.
    private func takeOver(of holder: Account, _ identity: ProviderIdentity, _ linked: LinkedIdentity) -> SignInDecision {
        var account = holder.changed
        account.identities = [linked]
        account.hasPassword = false
        account.isAnonymous = false
        account.verification = verification(by: identity, linked)
        account.provenAt = now
        account.name = linked.name
        account.picture = ProfileText.keptURL(identity.picture)
        let last = end(&account, of: holder)
        account.lastSignInAt = account.latestSession(now: now)
        let changes = changes {
            $0.accounts = [.save(account, before: holder, .remove)]
            $0.factors = [.removeAll(uid: holder.uid)]
            $0.endings = [last]
            $0.cancelledTokens = [.all(uid: holder.uid)]
        }
        return .proceed(planned(.takeOver, account, identity, changes))
    }

    private func signIn(_ owner: Account, _ identity: ProviderIdentity, holders: [Account]) -> SignInDecision {
        guard !owner.isDisabled else { return .refuse(AccountError(.userDisabled)) }
        let plan = seen(owner, identity, holders: holders)
        return .proceed(planned(.signIn, plan.account, identity, plan.changes))
    }

    /// The sign-in of an account that has the identity: the provider's record is renewed, the account's own profile stays.
    func seen(_ owner: Account, _ identity: ProviderIdentity, holders: [Account]) -> Plan {
        var account = owner.changed
        account.lastSignInAt = owner.latestSession(now: now)
        guard let index = owner.identities.firstIndex(where: { $0.provider == identity.provider }) else {
            return touch(owner)  // the store gave the owner of this identity
        }
        let linked = LinkedIdentity(identity, linkedAt: owner.identities[index].linkedAt)
        account.identities[index] = linked
        let isItsOwn = !policy.onePerEmail || holders.allSatisfy { $0.uid == owner.uid }
        if linked.email != nil, linked.email == owner.email, isItsOwn {
            prove(&account, by: verification(by: identity, linked))
        }
        guard account.identities != owner.identities || account.verification != owner.verification else { return touch(owner) }
        return Plan(account: account, changes: changes { $0.accounts = [.save(account, before: owner, .keep)] })
    }

    /// A sign-in that changes nothing but its time.
    func touch(_ owner: Account) -> Plan {
        var account = owner
        account.lastSignInAt = owner.latestSession(now: now)
        let start = owner.sessionStart(now: now)
        return Plan(
            account: account, changes: changes { $0.accounts = [.touch(uid: owner.uid, revision: owner.revision, at: start)] })
    }

    func anonymous(_ fresh: Fresh) -> SignInDecision {
        guard policy.signUp == .open else { return .refuse(AccountError(.adminRestrictedOperation)) }
        let account = Account(uid: fresh.uid, isAnonymous: true, createdAt: now, lastSignInAt: now)
        let changes = changes { $0.accounts = [.insert(account, nil)] }
        return .proceed(
            PlannedSignIn(
                kind: .create, account: account, identity: account.ownIdentity(ReservedProvider.anonymous), changes: changes,
                origin: .anonymous, startsAt: now))
    }

    /// The sign-in with a password that was verified. `record`: as the store has it now.
    func signIn(_ password: VerifiedPassword, _ record: AccountRecord?) -> SignInDecision {
        // Another hash: the password was changed since it was compared.
        guard let record, record.account.uid == password.uid, record.passwordHash == password.hash else {
            return .refuse(AccountError(.invalidCredential))
        }
        guard !record.account.isDisabled else { return .refuse(AccountError(.userDisabled)) }
        var plan = touch(record.account)
        if let renewed = password.renewed {
            var account = record.account.changed
            account.lastSignInAt = plan.account.lastSignInAt
            plan = Plan(account: account, changes: changes { $0.accounts = [.save(account, before: record.account, .set(renewed))] })
        }
        return .proceed(
            PlannedSignIn(
                kind: .signIn, account: plan.account, identity: plan.account.ownIdentity(ReservedProvider.password),
                changes: plan.changes, origin: .password(password), startsAt: plan.account.sessionStart(now: now)))
    }

    // MARK: Parts

    static let notStorable = AccountError(.invalidCredential, reason: "the subject is longer than 2,000 bytes or holds a NUL")

    func changes(_ fill: (inout AccountChanges) -> Void) -> AccountChanges {
        var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
        fill(&changes)
        return changes
    }

    /// The end of the sessions that there can be. `after`: the account as it will be; it knows the end, too, so that a session that goes on
    /// begins after it.
    func end(
        _ after: inout Account, of before: Account, provider: String? = nil, keep: String? = nil
    ) -> SessionEnding {
        let ending = SessionEnding(uid: before.uid, provider: provider, before: before.latestSession(now: now), keep: keep)
        after.endings.add(ending)
        return ending
    }

    func verification(by identity: ProviderIdentity, _ linked: LinkedIdentity) -> EmailVerification? {
        linked.emailVerified ? .provider(linked.provider, runsMailbox: policy.runsMailbox(identity)) : nil
    }

    /// Adds the word of a provider about the account's address, unless what is there proves as much. The time of the first proof stays.
    func prove(_ account: inout Account, by new: EmailVerification?) {
        switch (account.verification, new) {
        case (_, nil): return
        case (nil, _), (.provider(_, false), .provider(_, true)?): break
        default: return
        }
        if !isProven(account.verification) { account.provenAt = now }
        account.verification = new
    }

    /// Adds the proof of a mail.
    func proveByMail(_ account: inout Account) {
        if !isProven(account.verification) || account.provenAt == nil { account.provenAt = now }
        account.verification = .mail
    }

    /// The account of a session.
    func live(_ account: Account?) throws(AccountError) -> Account {
        guard let account else { throw AccountError(.invalidCredential, reason: "the account does not exist") }
        guard !account.isDisabled else { throw AccountError(.userDisabled) }
        return account
    }

    private func planned(
        _ kind: PlannedSignIn.Kind, _ account: Account, _ identity: ProviderIdentity, _ changes: AccountChanges
    ) -> PlannedSignIn {
        PlannedSignIn(
            kind: kind, account: account, identity: identity, changes: changes, origin: .identity(identity),
            startsAt: account.sessionStart(now: now))
    }
}

extension Account {
    /// The next revision.
    var changed: Account {
        var account = self
        account.revision += 1
        return account
    }

    /// With one identity more, which fills in what the profile lacks.
    func joined(by linked: LinkedIdentity, _ identity: ProviderIdentity?) -> Account {
        var account = changed
        account.identities.append(linked)
        account.isAnonymous = false
        account.name = name ?? linked.name
        account.picture = picture ?? ProfileText.keptURL(identity?.picture)
        return account
    }

    /// The identity of a session that no provider proved.
    /// The issuer of identities that the gateway keeps itself.
    package static func issuer(of provider: String) -> String { "gateway:\(provider)" }

    package func ownIdentity(_ provider: String) -> ProviderIdentity {
        ProviderIdentity(
            provider: provider, issuer: Account.issuer(of: provider), subject: uid, email: email?.text,
            emailVerified: email.map { _ in emailVerified }, name: name, picture: picture)
    }
}
