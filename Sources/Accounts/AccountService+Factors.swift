import TokenCrypto

/// The use of a factor that is checked under the limits.
package struct FactorAttempt: Sendable {
    package let uid: String
    /// What ends after too many wrong answers: the id of a pending sign-in or an enrolment.
    package let pending: String
    /// Whether the answer is a code. A refused WebAuthn assertion does not count against the account.
    package let isCode: Bool
    /// Keys the digests of attempts: the store shows no uid.
    package let key: [UInt8]

    package init(uid: String, pending: String, isCode: Bool, key: [UInt8]) {
        self.uid = uid
        self.pending = pending
        self.isCode = isCode
        self.key = key
    }
}

/// An account after an enrolment.
package struct EnrolledAccount: Sendable {
    package let account: Account
    /// Whether the account's other sessions have ended with it.
    package let hasEndedSessions: Bool
}

/// An attempt that was counted before its answer was checked, so that parallel guesses count, too.
package struct CountedFactorAttempt: Sendable {
    let counted: [CountedAttempt]
    /// Further answers that the pending sign-in takes if this one is wrong; 0: it has ended then.
    package let remaining: Int
}

package enum FactorAttemptAnswer: Sendable {
    case counted(CountedFactorAttempt)
    /// Five answers of the pending sign-in were wrong.
    case pendingEnded
    /// Ten codes of the account were wrong within an hour. `retryAfter`: milliseconds.
    case codesClosed(retryAfter: Int64)
}

/// Second factors. What a code or an assertion means is decided in `SecondFactors`; this is the only caller of the store.
extension AccountService {
    /// The limits of contract section 9.
    package enum FactorLimit {
        package static let wrongAnswersOfPending = 5
        package static let wrongCodesOfAccount = 10
        package static let codeWindow: Int64 = 3_600_000
    }

    /// The account with its factors; nil without such an account.
    package func factors(_ uid: String) async throws(AccountError) -> AccountFactors? {
        do throws(AccountStoreError) { return try await store.factors(uid) } catch { throw AccountError(error) }
    }

    package func recoveryCodes(_ uid: String) async throws(AccountError) -> [[UInt8]] {
        do throws(AccountStoreError) { return try await store.recoveryCodes(uid) } catch { throw AccountError(error) }
    }

    // MARK: Changes

    /// The check before an enrolment begins.
    package func mayEnrol(_ type: FactorType, uid: String, by authority: EnrolmentAuthority, now: Int64) async throws(AccountError)
        -> AccountFactors
    {
        try rules(now).mayEnrol(type, try await factors(uid), by: authority)
    }

    /// Adds a factor whose possession was proven, or that an operator brings. `once`: of the enrolment.
    /// `revision`: that the account must still have; nil: any.
    /// `isKnown`: whether the account has the same thing already, which only the caller can tell from sealed secrets.
    package func enrol(
        _ factor: Factor, recoveryCodes: [[UInt8]] = [], uid: String, by authority: EnrolmentAuthority, once: OnceMark?,
        revision: Int64? = nil,
        now: Int64, isKnown: (Factor) -> Bool = { _ in false }
    ) async throws(AccountError) -> EnrolledAccount {
        for _ in 0..<Self.attempts {
            let facts = try await factors(uid)
            if let revision, facts?.account.revision != revision { throw Self.changed }
            let plan = try rules(now).enrol(factor, recoveryCodes: recoveryCodes, facts, by: authority, once: once)
            guard facts?.factors.contains(where: isKnown) != true else { throw AccountError(.secondFactorAlreadyInUse) }
            do throws(AccountStoreError) {
                try await store.apply(plan.changes)
                return EnrolledAccount(account: plan.account, hasEndedSessions: !plan.changes.endings.isEmpty)
            } catch {
                switch error {
                case .unavailable: throw AccountError(error)
                case .taken(.factor): throw AccountError(.secondFactorAlreadyInUse)
                case .taken, .stale: break
                }
            }
            // Nothing else than a used enrolment stays stale.
            if once != nil, try await factors(uid)?.account.revision == facts?.account.revision {
                throw AccountError(.codeExpired, reason: "the enrolment was completed before")
            }
        }
        throw Self.contention
    }

    /// Removes a factor. Needs a recent sign-in with a factor unless an operator does it (`proof` nil). Returns what was removed, for the mail.
    package func removeFactor(_ id: String, uid: String, by proof: SessionProof?, now: Int64) async throws(AccountError) -> Factor {
        for _ in 0..<Self.attempts {
            let facts = try await factors(uid)
            let plan = try rules(now).removeFactor(id, facts, by: proof)
            guard let removed = facts?.factor(id) else { throw AccountError(.multiFactorInfoNotFound) }
            if case .done = try await write(plan.changes) { return removed }
        }
        throw Self.contention
    }

    /// Removes every factor of the account and ends its sessions: for operators.
    package func resetFactors(uid: String, now: Int64) async throws(AccountError) -> Account {
        for _ in 0..<Self.attempts {
            let plan = try rules(now).resetFactors(try await factors(uid))
            if case .done = try await write(plan.changes) { return plan.account }
        }
        throw Self.contention
    }

    /// Seals a factor's secret anew, after a rotation of `accounts.keys`. False: the factor has changed since it was read.
    package func reseal(_ factor: Factor, uid: String, as sealed: [UInt8]) async throws(AccountError) -> Bool {
        do throws(AccountStoreError) {
            return try await store.reseal(factor, uid: uid, as: sealed)
        } catch {
            throw AccountError(error)
        }
    }

    private static let changed = AccountError(.codeExpired, reason: "the account has changed since the first factor")

    // MARK: Uses

    /// Uses a verified factor up. Throws `invalid-verification-code` for a code that was used before, and `code-expired`.
    package func use(_ use: FactorUse, now: Int64) async throws(AccountError) {
        let answer: FactorUseAnswer
        do throws(AccountStoreError) { answer = try await store.use(use, now: now) } catch { throw AccountError(error) }
        switch answer {
        case .used: return
        case .refused: throw AccountError(.invalidVerificationCode)
        case .expired: throw AccountError(.codeExpired)
        case .gone: throw AccountError(.multiFactorInfoNotFound)
        case .changed: throw Self.changed
        case .completed: throw AccountError(.codeExpired, reason: "the pending sign-in was completed before")
        }
    }

    /// Stores a code before it is sent. `SecondFactorService` has counted the message.
    package func issueMessageCode(_ record: MessageCodeRecord) async throws(AccountError) {
        do throws(AccountStoreError) { try await store.issue(record) } catch { throw AccountError(error) }
    }

    /// Counts an answer before it is checked, unless a limit is reached: then it must not be checked.
    ///
    /// An answer that turns out right is withdrawn by itself (`withdraw`): wrong ones before it keep counting.
    package func count(_ answer: FactorAttempt, lifetime: Int64, now: Int64) async throws(AccountError) -> FactorAttemptAnswer {
        let pending = try await counting("factor-pending", answer.pending, answer.key, FactorLimit.wrongAnswersOfPending, lifetime, now)
        guard case .counted(let ofPending, let remaining) = pending else { return .pendingEnded }
        guard answer.isCode else { return .counted(CountedFactorAttempt(counted: [ofPending], remaining: remaining)) }
        switch try await counting(
            "factor-codes", answer.uid, answer.key, FactorLimit.wrongCodesOfAccount, FactorLimit.codeWindow, now)
        {
        case .counted(let ofAccount, _):
            return .counted(CountedFactorAttempt(counted: [ofPending, ofAccount], remaining: remaining))
        case .refused(let retryAfter):
            // The answer is not checked, so the pending sign-in goes on for a factor without codes.
            try await withdraw(ofPending, now: now)
            return .codesClosed(retryAfter: retryAfter)
        }
    }

    /// Takes back an answer that was right.
    package func withdraw(_ attempt: CountedFactorAttempt, now: Int64) async throws(AccountError) {
        for counted in attempt.counted { try await withdraw(counted, now: now) }
    }

    private func counting(
        _ scope: String, _ subject: String, _ key: [UInt8], _ limit: Int, _ window: Int64, _ now: Int64
    ) async throws(AccountError) -> AttemptAnswer {
        do throws(AccountStoreError) {
            return try await store.attempt(AttemptKey(scope: scope, subject: subject, key: key), limit: limit, window: window, now: now)
        } catch {
            throw AccountError(error)
        }
    }
}
