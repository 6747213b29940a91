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

    /// Decides anew what a race has changed.
    enum Origin: Sendable {
        case identity(ProviderIdentity)
        case password(VerifiedPassword)
        case passkey(VerifiedPasskey)
        case anonymous
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
