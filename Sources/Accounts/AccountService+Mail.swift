/// The result of a registration. The client gets the same answer for each.
package enum SignUpResult: Sendable {
    /// Mail the token to the new account's address.
    case created(Account, MailToken)
    /// Nothing has changed. Mail a hint to the account that has the address, or nothing.
    case addressInUse
}

extension AccountService {
    /// Makes an account with a password and an unverified address, and signs nobody in. `upgrading`: the uid of the anonymous account
    /// that gets the password instead, after `approve`, which asks the hooks about the account as it will be.
    package func signUp(
        _ email: EmailAddress, name: String?, passwordHash: PasswordHash, upgrading uid: String? = nil, now: Int64,
        approve: (Account) async throws(AccountError) -> Void = { _ in }
    ) async throws(AccountError) -> SignUpResult {
        let fresh = fresh()
        var approved: String?
        for _ in 0..<Self.attempts {
            let facts = try await read(AccountLookup(uid: uid, address: email))
            let plan = try rules(now).signUp(email, name: name, passwordHash, upgrades: uid != nil, facts, fresh)
            guard let plan else { return .addressInUse }
            if approved != plan.account.uid {
                try await approve(plan.account)
                approved = plan.account.uid
            }
            let token = mailToken(.verify, plan.account.uid, email, now)
            var changes = plan.changes
            changes.issuedToken = token.record
            if case .done = try await write(changes) { return .created(plan.account, token) }
        }
        throw Self.contention
    }

    private func mailToken(_ purpose: MailTokenPurpose, _ uid: String, _ email: EmailAddress, _ now: Int64) -> MailToken {
        MailToken(purpose, uid: uid, email: email, random: random(32), now: now)
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

    /// Verifies the address of a token that was mailed to it. Once.
    package func verifyEmail(_ token: String, now: Int64) async throws(AccountError) -> Account {
        try await redeeming(token) { facts throws(AccountError) in try rules(now).verifyEmail(facts) }
    }

    /// Gives the account the address that the token was mailed to; its other sessions end. Once.
    package func changeEmail(_ token: String, keep: String?, now: Int64) async throws(AccountError) -> Account {
        try await redeeming(token) { facts throws(AccountError) in try rules(now).changeEmail(facts, keep: keep) }
    }

    /// Sets the password by a mailed token; all sessions end. Once.
    package func resetPassword(_ token: String, to hash: PasswordHash, now: Int64) async throws(AccountError) -> Account {
        try await redeeming(token) { facts throws(AccountError) in try rules(now).resetPassword(hash, facts) }
    }

    /// Whether a token would be accepted, for the form that asks for the new password. Changes nothing.
    package func isValid(_ token: String, for purpose: MailTokenPurpose, now: Int64) async throws(AccountError) -> Bool {
        guard let digest = MailToken.digest(of: token), let record = try await read(AccountLookup(token: digest)).token else {
            return false
        }
        return record.purpose == purpose && now < record.expiresAt
    }

    /// The account of a token that exists, as it is now.
    package func account(ofToken text: String) async throws(AccountError) -> Account? {
        guard let digest = MailToken.digest(of: text) else { return nil }
        return try await read(AccountLookup(token: digest)).account
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
