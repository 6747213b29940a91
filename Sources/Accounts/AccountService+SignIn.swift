import TokenCrypto

extension AccountService {
    // MARK: With an identity

    /// Decides about the sign-in of a proven identity, and writes nothing. Between this and `complete`, hooks are asked.
    ///
    /// `issuedAt`: of an ID token, when it was issued; nil for a sign-in that the gateway took part in.
    package func decide(
        signIn proof: some IdentityProof, issuedAt: Int64? = nil, now: Int64
    ) async throws(AccountError) -> SignInDecision {
        try await decideAnew(
            issuedAt.map { .token(proof.identity, issuedAt: $0) } ?? .identity(proof.identity), now: now)
    }

    private func decide(_ identity: ProviderIdentity, uidTaken: Bool, now: Int64) async throws(AccountError) -> SignInDecision {
        let facts = try await read(lookup(identity))
        let uid = uidTaken ? nil : UserID.derived(issuer: identity.issuer, subject: identity.subject)
        return rules(now).signIn(identity, facts, fresh(uid: uid))
    }

    /// An identity that no store can hold belongs to nobody.
    func lookup(_ identity: ProviderIdentity, uid: String? = nil) -> AccountLookup {
        let key = IdentityKey(provider: identity.provider, issuer: identity.issuer, subject: identity.subject)
        return AccountLookup(uid: uid, identity: key.isStorable ? key : nil, address: identity.email.flatMap(EmailAddress.init))
    }

    /// Decides about a new anonymous account.
    package func decideAnonymous(now: Int64) -> SignInDecision { rules(now).anonymous(fresh()) }

    // MARK: With a password

    /// The account that a password may open with this address; nil without one. The caller compares a hash in either case, so that time
    /// does not show whether there is one.
    package func account(forPasswordSignIn email: EmailAddress) async throws(AccountError) -> PasswordCandidate? {
        guard let record = try await passwordRecord(email), let hash = record.passwordHash else { return nil }
        return PasswordCandidate(account: record.account, hash: hash)
    }

    private func passwordRecord(_ email: EmailAddress) async throws(AccountError) -> AccountRecord? {
        do throws(AccountStoreError) { return try await store.passwordRecord(email) } catch { throw AccountError(error) }
    }

    /// Decides about the sign-in with a verified password.
    package func decide(passwordSignIn password: VerifiedPassword, now: Int64) async throws(AccountError) -> SignInDecision {
        rules(now).signIn(password, try await record(password.uid))
    }

    func record(_ uid: String) async throws(AccountError) -> AccountRecord? {
        do throws(AccountStoreError) {
            return try await store.record(uid)
        } catch {
            throw AccountError(error)
        }
    }

    // MARK: Writing

    /// Writes a planned sign-in. If the facts have changed, decides anew: the hooks' answers stay good for the same account, unless it
    /// would be created now and was not before.
    package func complete(_ plan: PlannedSignIn, now: Int64) async throws(AccountError) -> SignInCompletion {
        var plan = plan
        for _ in 0..<Self.attempts {
            let written = try await write(plan.changes)
            if case .done = written {
                return .signedIn(
                    AccountOutcome(
                        written: plan.account, identity: plan.identity, kind: plan.kind, startsAt: plan.startsAt,
                        hasEndedSessions: !plan.changes.endings.isEmpty))
            }
            var uidTaken = false
            if case .uidTaken = written { uidTaken = true }
            switch try await decideAnew(plan.origin, uidTaken: uidTaken, now: now) {
            case .conflict(let conflict): return .conflict(conflict)
            case .refuse(let error): return .refused(error)
            case .proceed(let next):
                guard next.account.uid == plan.account.uid, next.kind != .create || plan.kind == .create else { return .changed(next) }
                plan = next
            }
        }
        throw Self.contention
    }

    func decideAnew(
        _ origin: PlannedSignIn.Origin, uidTaken: Bool = false, now: Int64
    ) async throws(AccountError) -> SignInDecision {
        switch origin {
        case .reauthentication(.identity(let identity), let uid):
            if try await read(lookup(identity)).owner?.uid == uid {
                try await decideAnew(.identity(identity), now: now).only(for: uid, .identity(identity))
            } else {
                .refuse(AccountError(.userMismatch))
            }
        case .reauthentication(let origin, let uid): try await decideAnew(origin, now: now).only(for: uid, origin)
        case .identity(let identity): try await decide(identity, uidTaken: uidTaken, now: now)
        case .token(let identity, let issuedAt):
            try await decide(identity, uidTaken: uidTaken, now: now).proven(at: issuedAt, identity)
        case .password(let password): try await decide(passwordSignIn: password, now: now)
        case .passkey(let passkey): try await decide(passkeySignIn: passkey, now: now)
        case .anonymous: decideAnonymous(now: now)
        }
    }

    /// Both steps at once. `approve` asks the hooks; it is called again if the situation changes so that the answer may differ.
    package func signIn(
        proof: some IdentityProof, now: Int64, approve: (PlannedSignIn) async throws(AccountError) -> Void = { _ in }
    ) async throws(AccountError) -> SignInCompletion {
        try await finish(try await decide(signIn: proof, now: now), now: now, approve: approve)
    }

    /// Carries out a decision of any kind, with the hooks.
    package func finish(
        _ decision: SignInDecision, now: Int64, approve: (PlannedSignIn) async throws(AccountError) -> Void = { _ in }
    ) async throws(AccountError) -> SignInCompletion {
        switch decision {
        case .conflict(let conflict): return .conflict(conflict)
        case .refuse(let error): return .refused(error)
        case .proceed(var plan):
            for _ in 0..<Self.attempts {
                try await approve(plan)
                switch try await complete(plan, now: now) {
                case .changed(let next): plan = next
                case let end: return end
                }
            }
            throw Self.contention
        }
    }

    // MARK: After a conflict

    /// Links the identity that met a conflict, after a sign-in to the account that was in the way, whose user said so. Nil: nothing was
    /// linked, because it was another account, or the situation has changed, or the pending credential was used.
    package func redeem(
        _ pending: PendingCredential, signedIn uid: String, by proof: SessionProof, now: Int64
    ) async throws(AccountError) -> Account? {
        let lookup = lookup(pending, uid: uid)
        for _ in 0..<3 {
            guard let plan = try rules(now).redeem(pending, signedIn: uid, by: proof, try await read(lookup)) else { return nil }
            if case .done = try await write(plan.changes) { return plan.account }
        }
        return nil
    }

    /// Whether `redeem` would link it, as far as can be known before; throws where the session must do something first.
    package func canRedeem(
        _ pending: PendingCredential, signedIn uid: String, by proof: SessionProof, now: Int64
    ) async throws(AccountError) -> Bool {
        try rules(now).redeem(pending, signedIn: uid, by: proof, try await read(lookup(pending, uid: uid))) != nil
    }

    private func lookup(_ pending: PendingCredential, uid: String) -> AccountLookup {
        AccountLookup(uid: uid, identity: pending.identity.key, address: pending.identity.email)
    }

    /// Uses a pending value up without what it would have completed: the user said no.
    package func discard<Payload>(_ pending: Pending<Payload>) async throws(AccountError) {
        var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
        changes.once = pending.mark
        // A value that is stale was used before.
        _ = try await write(changes)
    }

    // MARK: Bearer tokens

    /// The account of an identity that a token proves, for one request; nothing is written. An identity that never signed in has the uid
    /// that it would get. Refuses one that was removed from its account: that uid is the account's.
    package func present(_ proof: some IdentityProof) async throws(AccountError) -> AccountOutcome {
        let identity = proof.identity
        var lookup = lookup(identity, uid: UserID.derived(issuer: identity.issuer, subject: identity.subject))
        lookup.address = nil
        let facts = try await read(lookup)
        guard let owner = facts.owner else {
            guard facts.account == nil else { throw AccountError(.noSuchProvider, reason: "the identity was removed from its account") }
            guard policy.signUp == .open else { throw AccountError(.adminRestrictedOperation) }
            return AccountOutcome(withoutStore: proof)
        }
        guard !owner.isDisabled else { throw AccountError(.userDisabled) }
        return AccountOutcome(written: owner, identity: identity, kind: .signIn, startsAt: nil)
    }

    // MARK: Re-authentication

    /// Decides about a fresh sign-in of the session's user, like any other sign-in: hooks are asked before it is written. Another identity
    /// than the account's is `user-mismatch`; the session stays.
    package func decide(
        reauthentication proof: some IdentityProof, of uid: String, now: Int64
    ) async throws(AccountError) -> SignInDecision {
        try await decideAnew(.reauthentication(.identity(proof.identity), uid: uid), now: now)
    }

    package func decide(
        reauthentication password: VerifiedPassword, of uid: String, now: Int64
    ) async throws(AccountError) -> SignInDecision {
        try await decideAnew(.reauthentication(.password(password), uid: uid), now: now)
    }

    // MARK: Linking

    /// The check before the user is sent to the provider.
    package func mayLink(_ provider: String, uid: String, by proof: SessionProof, now: Int64) async throws(AccountError) {
        try rules(now).mayLink(provider, to: try await read(AccountLookup(uid: uid)).account, by: proof)
    }

    /// The account as `link` would leave it, for the hooks. Throws what `link` throws, and writes nothing.
    package func linked(
        _ proof: some IdentityProof, uid: String, by session: SessionProof, begun: Int64, now: Int64
    ) async throws(AccountError) -> Account {
        let facts = try await read(lookup(proof.identity, uid: uid))
        return try rules(now).link(proof.identity, facts, by: session, begun: begun).account
    }

    /// The proven identity joins the account of the session. The session goes on with it as after a sign-in. `begun`: when the user was sent
    /// to the provider.
    package func link(
        _ proof: some IdentityProof, uid: String, by session: SessionProof, begun: Int64, now: Int64
    ) async throws(AccountError) -> AccountOutcome {
        let identity = proof.identity
        let account = try await deciding(lookup(identity, uid: uid)) { facts throws(AccountError) in
            let plan = try rules(now).link(identity, facts, by: session, begun: begun)
            return (plan.account, plan.changes)
        }
        return AccountOutcome(written: account, identity: identity, kind: .link, startsAt: account.sessionStart(now: now))
    }
}
