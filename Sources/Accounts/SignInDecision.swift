/// The answer to a proven identity that wants to sign in.
package enum SignInDecision: Sendable {
    case proceed(PlannedSignIn)
    case conflict(AccountConflict)
    case refuse(AccountError)
}

/// A sign-in that is decided and not written yet. Hooks are asked about it; `AccountService.complete` writes it.
package struct PlannedSignIn: Sendable {
    package enum Kind: Sendable, Hashable {
        /// The account exists and has the identity, the password, or nothing (anonymous).
        case signIn
        /// `beforeCreate` is asked first.
        case create
        /// The identity joins the account that has its address.
        case link
        /// Like `link`; everything else that could open the account is removed, and its sessions end. Write an audit event.
        case takeOver
    }

    package let kind: Kind
    /// The account as it will be.
    package let account: Account
    /// The identity of the session.
    package let identity: ProviderIdentity
    let changes: AccountChanges
    let origin: Origin
    /// When the session begins, Unix milliseconds: the store writes no earlier time for the sign-in. So what ends the account's sessions after
    /// that has ended this one, too, however long the rest takes.
    let startsAt: Int64

    /// Decides anew what a race has changed.
    indirect enum Origin: Sendable {
        /// Of the user of a session: never creates or links.
        case reauthentication(Origin, uid: String)
        case identity(ProviderIdentity)
        /// Of an ID token: it was proven when it was issued, Unix milliseconds.
        case token(ProviderIdentity, issuedAt: Int64)
        case password(VerifiedPassword)
        case passkey(VerifiedPasskey)
        case anonymous
    }
}

extension SignInDecision {
    /// A sign-in with an ID token. It opens no account whose sessions have ended since the token was issued: somebody else may have it.
    func proven(at issuedAt: Int64, _ identity: ProviderIdentity) -> SignInDecision {
        guard case .proceed(let plan) = self else { return self }
        // As the account was read: a take-over ends its sessions itself.
        let read =
            plan.changes.accounts.lazy.compactMap { if case .save(_, let before, _) = $0 { before } else { nil } }.first ?? plan.account
        guard !read.endings.cover(provider: identity.provider, issuedAt: issuedAt) else {
            return .refuse(
                AccountError(.invalidCredential, reason: "the sessions of the account have ended since the ID token was issued"))
        }
        return .proceed(
            PlannedSignIn(
                kind: plan.kind, account: plan.account, identity: plan.identity, changes: plan.changes,
                origin: .token(identity, issuedAt: issuedAt), startsAt: plan.startsAt))
    }

    /// A fresh sign-in of the session's user: another account, or none, is `user-mismatch`.
    func only(for uid: String, _ origin: PlannedSignIn.Origin) -> SignInDecision {
        switch self {
        case .refuse: return self
        case .conflict: return .refuse(AccountError(.userMismatch))
        case .proceed(let plan):
            guard plan.kind == .signIn, plan.account.uid == uid else { return .refuse(AccountError(.userMismatch)) }
            return .proceed(
                PlannedSignIn(
                    kind: .signIn, account: plan.account, identity: plan.identity, changes: plan.changes,
                    origin: .reauthentication(origin, uid: uid), startsAt: plan.startsAt))
        }
    }
}

/// A sign-in whose address another account has. Nobody is signed in.
package struct AccountConflict: Sendable {
    package let email: EmailAddress
    /// The ways to sign in to that account, `password` among them; nil: the provider did not vouch for the address, so the page says only
    /// that it is in use.
    package let providers: [String]?
    /// Keep it sealed in the browser; `AccountService.redeem` links it after a sign-in to the account.
    package let pending: PendingCredential

    package var error: AccountError { AccountError(.accountExistsWithDifferentCredential) }
}

/// The end of a planned sign-in.
package enum SignInCompletion: Sendable {
    case signedIn(AccountOutcome)
    /// The situation has changed and needs the hooks again: another kind of sign-in, or another account.
    case changed(PlannedSignIn)
    case conflict(AccountConflict)
    case refused(AccountError)
}
