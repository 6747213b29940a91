/// The account that has a WebAuthn credential. The caller verifies the assertion.
package struct PasskeyCandidate: Sendable {
    package let account: Account
    let factor: Factor
    let credential: FactorCredential

    /// Nil without a factor that has this credential.
    init?(_ facts: AccountFactors, credential id: [UInt8]) {
        guard let factor = facts.factors.first(where: { $0.credential?.id == id }), let credential = factor.credential else { return nil }
        account = facts.account
        self.factor = factor
        self.credential = credential
    }

    /// The proof that the user has the passkey. `verify` returns the new signature counter, or throws.
    package func verified<Failure: Error>(
        _ verify: (FactorCredential) throws(Failure) -> UInt32
    ) throws(Failure) -> VerifiedPasskey {
        VerifiedPasskey(uid: account.uid, factor: factor.id, counter: try verify(credential))
    }
}

/// A passkey whose assertion was verified, with user verification. Only `PasskeyCandidate` makes it.
package struct VerifiedPasskey: Sendable {
    package let uid: String
    /// The id of the factor.
    package let factor: String
    let counter: UInt32

    fileprivate init(uid: String, factor: String, counter: UInt32) {
        self.uid = uid
        self.factor = factor
        self.counter = counter
    }
}

/// The sign-in with a passkey instead of the password.
extension AccountService {
    /// The account that has the credential; nil without one.
    package func account(withPasskey credential: [UInt8]) async throws(AccountError) -> PasskeyCandidate? {
        do throws(AccountStoreError) {
            return try await store.factors(withCredential: credential).flatMap { PasskeyCandidate($0, credential: credential) }
        } catch {
            throw AccountError(error)
        }
    }

    /// Uses the assertion up: the counter grows, and `once` completes the sign-in that asked for it.
    package func use(_ passkey: VerifiedPasskey, once: OnceMark, now: Int64) async throws(AccountError) {
        do throws(AccountError) {
            try await use(
                FactorUse(uid: passkey.uid, factor: passkey.factor, kind: .webauthn(counter: passkey.counter), once: once), now: now)
        } catch {
            switch error.code {
            // Only a parallel use gets here: the caller has compared the counter.
            case .invalidVerificationCode:
                throw AccountError(.invalidCredential, reason: "the signature counter did not grow: the authenticator may be a copy")
            case .multiFactorInfoNotFound: throw AccountError(.invalidCredential, reason: "the passkey was removed")
            default: throw error
            }
        }
    }

    /// Decides about the sign-in with a verified passkey.
    package func decide(passkeySignIn passkey: VerifiedPasskey, now: Int64) async throws(AccountError) -> SignInDecision {
        do throws(AccountError) {
            return .proceed(try rules(now).signIn(passkey, try await factors(passkey.uid)))
        } catch {
            guard error.code != .storeUnavailable else { throw error }
            return .refuse(error)
        }
    }

    package func decide(
        reauthentication passkey: VerifiedPasskey, of uid: String, now: Int64
    ) async throws(AccountError) -> SignInDecision {
        try await decideAnew(.reauthentication(.passkey(passkey), uid: uid), now: now)
    }
}

extension AccountRules {
    /// The sign-in with a passkey that was verified. `facts`: as the store has them now.
    ///
    /// | account | answer |
    /// |---|---|
    /// | gone, or the passkey was removed | `invalid-credential` |
    /// | disabled | `user-disabled` |
    /// | without a password | `invalid-credential`: a passkey takes the place of the password, not of another provider |
    /// | others | sign in |
    func signIn(_ passkey: VerifiedPasskey, _ facts: AccountFactors?) throws(AccountError) -> PlannedSignIn {
        guard let facts, facts.account.uid == passkey.uid, facts.factor(passkey.factor) != nil else {
            throw AccountError(.invalidCredential, reason: "the passkey was removed")
        }
        let account = try live(facts.account)
        guard account.hasPassword else { throw AccountError(.invalidCredential, reason: "the passkey's account has no password") }
        let plan = touch(account)
        return PlannedSignIn(
            kind: .signIn, account: plan.account, identity: plan.account.ownIdentity(ReservedProvider.password), changes: plan.changes,
            origin: .passkey(passkey), startsAt: plan.account.sessionStart(now: now))
    }
}
