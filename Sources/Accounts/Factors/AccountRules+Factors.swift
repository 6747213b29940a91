/// Who enrols a factor, and when that was allowed.
package enum EnrolmentAuthority: Sendable, Equatable {
    /// The command line or an import.
    case `operator`
    /// A session: its sign-in must be recent, and have shown a factor if the account has one.
    case session(SessionProof)
    /// A sealed enrolment, or a sign-in that waits for it: a recent sign-in began it.
    case begun
}

/// Second factors: who may have one, and what a change of them changes.
extension AccountRules {
    /// More factors than this an account cannot have. Recovery codes are not counted: they need another factor, and replace each other.
    static let mostFactors = 5

    /// Whether the account may enrol a factor of this type now.
    ///
    /// | account | answer |
    /// |---|---|
    /// | anonymous | `unsupported-first-factor` |
    /// | disabled, and no operator | `user-disabled` |
    /// | sign-in not recent, at the start | `requires-recent-login` |
    /// | the account has factors, and the session has shown none, at the start | `multi-factor-auth-required` |
    /// | address missing or not verified, and no operator | `unverified-email` |
    /// | five factors, and the new one is no set of recovery codes | `maximum-second-factor-count-exceeded` |
    /// | no other factor, and the new one is a set of recovery codes | `multi-factor-info-not-found`, 409 |
    func mayEnrol(_ type: FactorType, _ facts: AccountFactors?, by authority: EnrolmentAuthority) throws(AccountError) -> AccountFactors {
        guard let facts else { throw Self.missingAccount }
        guard !facts.account.isAnonymous else { throw AccountError(.unsupportedFirstFactor) }
        if authority != .operator {
            _ = try live(facts.account)
            if case .session(let proof) = authority { try require(proof, for: facts) }
            guard facts.account.email != nil, facts.account.emailVerified else {
                throw AccountError(.unverifiedEmail, reason: "a second factor needs a verified address")
            }
        }
        let others = facts.factors.count { $0.type != .recovery }
        if type == .recovery {
            guard others > 0 else {
                throw AccountError(.multiFactorInfoNotFound, reason: "recovery codes need another factor", status: 409)
            }
        } else if others >= Self.mostFactors {
            throw AccountError(.maximumSecondFactorCountExceeded)
        }
        return facts
    }

    /// Adds a factor. A new set of recovery codes replaces the old one.
    ///
    /// The revision grows, so that two enrolments in parallel, or one beside a removal, are decided one after the other. The first factor ends
    /// the account's sessions, none of which has shown it, and the mails that are under way.
    func enrol(
        _ factor: Factor, recoveryCodes: [[UInt8]], _ facts: AccountFactors?, by authority: EnrolmentAuthority, once: OnceMark?
    ) throws(AccountError) -> Plan {
        let facts = try mayEnrol(factor.type, facts, by: authority)
        if let id = factor.credential?.id, facts.factors.contains(where: { $0.credential?.id == id }) {
            throw AccountError(.secondFactorAlreadyInUse)
        }
        let replaced = factor.type == .recovery ? facts.factors.filter { $0.type == .recovery } : []
        let uid = facts.account.uid
        return changed(facts.account, hasFactors: true, endsSessions: facts.factors.isEmpty) {
            $0.factors = replaced.map { .remove(id: $0.id, uid: uid) } + [.insert(factor, uid: uid, recoveryCodes: recoveryCodes)]
            $0.once = once
            if facts.factors.isEmpty { $0.cancelledTokens = [cancelled(of: facts.account, bySession: authority != .operator)] }
        }
    }

    /// Removes a factor. Recovery codes go with the last other one.
    func removeFactor(_ id: String, _ facts: AccountFactors?, by proof: SessionProof?) throws(AccountError) -> Plan {
        guard let facts else { throw Self.missingAccount }
        if let proof {
            _ = try live(facts.account)
            try require(proof, for: facts)
        }
        guard facts.factor(id) != nil else { throw AccountError(.multiFactorInfoNotFound) }
        let uid = facts.account.uid
        let isLast = facts.factors.allSatisfy { $0.id == id || $0.type == .recovery }
        return changed(facts.account, hasFactors: !isLast) { $0.factors = [isLast ? .removeAll(uid: uid) : .remove(id: id, uid: uid)] }
    }

    /// An operator removes every factor, for a user who lost them. The sessions end: an attacker who had a factor may have made some.
    func resetFactors(_ facts: AccountFactors?) throws(AccountError) -> Plan {
        guard let facts else { throw Self.missingAccount }
        return changed(facts.account, hasFactors: false, endsSessions: true) { $0.factors = [.removeAll(uid: facts.account.uid)] }
    }

    private static let missingAccount = AccountError(.invalidCredential, reason: "the account does not exist")

    private func changed(
        _ account: Account, hasFactors: Bool, endsSessions: Bool = false, _ fill: (inout AccountChanges) -> Void
    ) -> Plan {
        var after = account.changed
        after.hasFactors = hasFactors
        let last = endsSessions ? end(&after, of: account) : nil
        let changes = changes {
            $0.accounts = [.save(after, before: account, .keep)]
            $0.endings = last.map { [$0] } ?? []
            fill(&$0)
        }
        return Plan(account: after, changes: changes)
    }
}
