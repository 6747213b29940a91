/// The result of a registration. The client gets the same answer for each.
package enum SignUpResult: Sendable {
    /// Mail the token to the new account's address.
    case created(Account, MailToken)
    /// The anonymous account stays as it is until the link of the mail is confirmed.
    case waiting(MailToken)
    /// Nothing has changed. Mail a hint to the account that has the address, or nothing.
    case addressInUse
}

/// A mail's link that works, as its page needs it.
package struct MailLink: Sendable {
    package let purpose: MailTokenPurpose
    /// The address that the mail went to.
    package let email: EmailAddress
    package let account: Account
    /// What "it was not me" means.
    package let refusal: MailRefusal
    /// Opens the account, or belongs to the registration that waits; nil without a password.
    package let password: PasswordCandidate?

    /// The address whose limit of wrong passwords counts.
    package var signInAddress: EmailAddress { purpose == .upgrade ? email : account.email ?? email }
}

/// The end of "it was not me".
package enum RefusedMail: Sendable {
    /// The owner of the address has the account. The token leads to a new password.
    case takenOver(Account, MailToken)
    case cancelled
}

extension AccountService {
    /// Makes an account with a password and an unverified address, and signs nobody in. `upgrading`: the uid of the anonymous account that
    /// gets both when the mail's link is confirmed. `approve` asks the hooks about the account as it will be, or would be.
    ///
    /// With an address that is in use, the same steps are taken and as much is written, so that time shows nothing.
    package func signUp(
        _ email: EmailAddress, name: String?, passwordHash: PasswordHash, upgrading uid: String? = nil, now: Int64,
        approve: (Account) async throws(AccountError) -> Void = { _ in }
    ) async throws(AccountError) -> SignUpResult {
        let fresh = fresh()
        let rules = rules(now)
        var isApproved = false
        for _ in 0..<Self.attempts {
            let facts = try await read(AccountLookup(uid: uid, address: email))
            let plan = try rules.signUp(email, name: name, passwordHash, upgrades: uid != nil, facts, fresh)
            if !isApproved {
                try await approve(plan?.account ?? rules.registered(uid ?? fresh.uid, email, name: name))
                isApproved = true
            }
            guard let plan else {
                try await writeNothing(now: now)
                return .addressInUse
            }
            let token =
                uid == nil
                ? mailToken(.verify, plan.account.uid, email, now) : mailToken(.upgrade, plan.account.uid, email, hash: passwordHash, now)
            var changes = plan.changes
            changes.issuedToken = token.record
            if case .done = try await write(changes) { return uid == nil ? .created(plan.account, token) : .waiting(token) }
        }
        throw Self.contention
    }

    /// A write that changes nothing that anybody reads, in place of one that another answer needs.
    package func writeNothing(now: Int64) async throws(AccountError) {
        var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
        changes.once = OnceMark(digest: random(32), expiresAt: now + MailToken.lifetime)
        _ = try await write(changes)
    }

    private func mailToken(
        _ purpose: MailTokenPurpose, _ uid: String, _ email: EmailAddress, hash: PasswordHash? = nil, _ now: Int64
    ) -> MailToken {
        MailToken(purpose, uid: uid, email: email, passwordHash: hash, random: random(32), now: now)
    }

    /// A token that verifies the account's address; nil if there is no address, or it is verified.
    package func verificationToken(uid: String, now: Int64) async throws(AccountError) -> MailToken? {
        try await issuing(AccountLookup(uid: uid)) { facts throws(AccountError) in
            guard let account = facts.account, !account.isDisabled, let email = account.email, account.verification != .mail else {
                return nil
            }
            return mailToken(.verify, account.uid, email, now)
        }
    }

    /// A token that resets the password of the account with the address; nil without one. The client gets the same answer, before this
    /// is called: a write takes longer than none.
    package func resetToken(_ email: EmailAddress, now: Int64) async throws(AccountError) -> MailToken? {
        try await issuing(AccountLookup(address: email)) { facts throws(AccountError) in
            // The account's spelling gets the mail, not the one that was typed.
            guard let account = rules(now).resetTarget(facts.holders), let address = account.email else { return nil }
            return mailToken(.reset, account.uid, address, now)
        }
    }

    /// A token to mail to the new address; nil if another account has it: the client gets the same answer. Needs a recent sign-in, with a
    /// factor if the account has one.
    package func changeToken(
        uid: String, to email: EmailAddress, by proof: SessionProof, now: Int64
    ) async throws(AccountError) -> MailToken? {
        try await issuing(AccountLookup(uid: uid, address: email)) { facts throws(AccountError) in
            guard try rules(now).mayChange(to: email, facts, by: proof) else { return nil }
            return mailToken(.change, uid, email, now)
        }
    }

    private func issuing(
        _ lookup: AccountLookup, _ make: (AccountFacts) throws(AccountError) -> MailToken?
    ) async throws(AccountError) -> MailToken? {
        try await deciding(lookup) { facts throws(AccountError) in
            guard let token = try make(facts) else { return (nil, nil) }
            var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
            changes.issuedToken = token.record
            return (token, changes)
        }
    }

    // MARK: Links

    /// What a mail's link does; nil if it does not work, or not any more. Changes nothing.
    package func mailLink(_ text: String, now: Int64) async throws(AccountError) -> MailLink? {
        guard let digest = MailToken.digest(of: text) else { return nil }
        let facts = try await read(AccountLookup(token: digest))
        let rules = rules(now)
        guard let token = facts.token, let account = facts.account, rules.isUsable(token, account) else { return nil }
        let hash = token.purpose == .upgrade ? token.passwordHash : try await record(account.uid)?.passwordHash
        return MailLink(
            purpose: token.purpose, email: token.email, account: account, refusal: rules.refusal(token, account),
            password: hash.map { PasswordCandidate(account: account, hash: $0) })
    }

    /// The account as `confirm` would leave it, for the hooks. Throws what `confirm` throws, and writes nothing.
    package func confirmed(_ text: String, by confirmation: MailConfirmation, now: Int64) async throws(AccountError) -> Account {
        guard let digest = MailToken.digest(of: text), let address = try await read(AccountLookup(token: digest)).token?.email else {
            throw AccountError(.invalidToken)
        }
        return try rules(now).confirm(confirmation, try await read(AccountLookup(address: address, token: digest))).account
    }

    /// Carries out a link that confirms an address, for the user who has both the mail and the account. Once.
    package func confirm(_ text: String, by confirmation: MailConfirmation, now: Int64) async throws(AccountError) -> Account {
        try await redeeming(text) { facts throws(AccountError) in try rules(now).confirm(confirmation, facts) }
    }

    /// Carries out "it was not me". Once.
    package func refuse(_ text: String, now: Int64) async throws(AccountError) -> RefusedMail {
        var taken: MailToken?
        let account = try await redeeming(text) { facts throws(AccountError) in
            taken = nil
            guard let token = facts.token, let account = facts.account, rules(now).isUsable(token, account) else {
                throw AccountError(.invalidToken)
            }
            switch rules(now).refusal(token, account) {
            case .takesOver:
                let next = mailToken(.reset, account.uid, token.email, now)
                taken = next
                return try rules(now).takeOver(next.record, facts)
            case .cancels:
                var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
                changes.usedToken = token.digest
                return AccountRules.Plan(account: account, changes: changes)
            }
        }
        return taken.map { .takenOver(account, $0) } ?? .cancelled
    }

    /// Sets the password by a mailed token; all sessions end. Once.
    package func resetPassword(_ token: String, to hash: PasswordHash, now: Int64) async throws(AccountError) -> Account {
        try await redeeming(token) { facts throws(AccountError) in try rules(now).resetPassword(hash, facts) }
    }

    private func redeeming(
        _ text: String, _ decide: (AccountFacts) throws(AccountError) -> AccountRules.Plan
    ) async throws(AccountError) -> Account {
        guard let digest = MailToken.digest(of: text) else { throw AccountError(.invalidToken) }
        for _ in 0..<Self.attempts {
            guard let address = try await read(AccountLookup(token: digest)).token?.email else { throw AccountError(.invalidToken) }
            let plan = try decide(try await read(AccountLookup(address: address, token: digest)))
            if case .done = try await write(plan.changes) { return plan.account }
        }
        throw Self.contention
    }
}
