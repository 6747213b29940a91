extension ErrorText {
    /// `auth/invalid-token` of a mail's link. The catalogue's entry of that code is about bearer tokens.
    package static let usedLink = ErrorText(
        code: "auth/invalid-token", status: 400, title: "This link no longer works",
        happened: "The link from the mail has expired, or it was already used.",
        next: "Request a new mail and open the link in it.", remedy: .signInAgain)

    /// `auth/store-unavailable` of the accounts. The catalogue's entry of that code is about sessions.
    package static let accountsUnavailable = ErrorText(
        code: "auth/store-unavailable", status: 503, title: "Accounts are unavailable",
        happened: "This site cannot reach its store of accounts.",
        next: "Try again in a minute. If you are signed in, you stay signed in.", remedy: .tryAgain)

    /// `auth/email-already-in-use` when a provider is linked: the address of its account belongs to another account here.
    package static let linkedEmailInUse = ErrorText(
        code: "auth/email-already-in-use", status: 409, title: "This address is in use",
        happened: "The e-mail address at the provider belongs to another account of this site. Nothing was changed.",
        next: "Sign in to that account, or link an account with another address.", remedy: .account)

    /// `auth/invalid-credential` of an identity that waits to be linked. The catalogue's entry of that code is about sign-ins.
    package static let nothingToLink = ErrorText(
        code: "auth/invalid-credential", status: 400, title: "There is nothing to link",
        happened: "The question has expired, or it was already answered.",
        next: "To link a provider, sign in with it again, or add it on your account page.", remedy: .account)

    /// Codes of accounts.
    package static let accountCatalogue: [ErrorText] = [
        ErrorText(
            code: "auth/account-exists-with-different-credential", status: 409, title: "This address already has an account",
            happened: "The address that the provider sent belongs to an account that is not linked to this provider.",
            next: "Sign in to that account in one of its ways. You can then use the new one, too.", remedy: .signInAgain),
        ErrorText(
            code: "auth/email-already-in-use", status: 403, title: "This address is in use",
            happened: "The e-mail address belongs to another account of this site.",
            next: "Sign in to that account, or use another address.", remedy: .signInAgain),
        ErrorText(
            code: "auth/user-disabled", status: 403, title: "This account is disabled",
            happened: "An administrator disabled this account.",
            next: "If you think this is a mistake, ask the site's administrator.", remedy: .none),
        ErrorText(
            code: "auth/admin-restricted-operation", status: 403, title: "There is no account for you yet",
            happened: "New accounts are created by the site's administrator only.",
            next: "Ask the site's administrator for an account, or sign in to one that you have.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-already-linked", status: 409, title: "This provider is already linked",
            happened: "Your account is already linked to an account at this provider.",
            next: "To link another one, remove the first from your account.", remedy: .account),
        ErrorText(
            code: "auth/credential-already-in-use", status: 409, title: "Already linked to another account",
            happened: "The account at the provider is linked to another account of this site. Nothing was changed.",
            next: "Sign in to the other account, or link another one.", remedy: .account),
        ErrorText(
            code: "auth/no-such-provider", status: 404, title: "This provider is not linked",
            happened: "Your account is not linked to this provider. Perhaps you removed it in another window.",
            next: "Look up its ways to sign in on your account page.", remedy: .account),
        ErrorText(
            code: "auth/last-provider", status: 409, title: "Your only way to sign in stays",
            happened: "Without it, you could not sign in again. Nothing was changed.",
            next: "Add another way to sign in before you remove this one.", remedy: .account),
        ErrorText(
            code: "auth/user-mismatch", status: 403, title: "This is a different account",
            happened: "You signed in to another account than the one that you are using. Nothing was changed.",
            next: "Sign in again to the account that you are using.", remedy: .account),
        ErrorText(
            code: "auth/invalid-credential", status: 401, title: "The sign-in failed",
            happened: "The e-mail address or the password is wrong, or the passkey was not accepted.",
            next: "Check what you entered and try again. If you forgot the password, reset it.", remedy: .signInAgain),
        ErrorText(
            code: "auth/weak-password", status: 400, title: "The password is too weak",
            happened: "The password is too short, too long or too common.",
            next: "Go back and choose another password.", remedy: .none),
        ErrorText(
            code: "auth/too-many-requests", status: 429, title: "Too many attempts",
            happened: "There were too many attempts for this address, or from your network.",
            next: "Wait some minutes, then try again.", remedy: .tryAgain),
        ErrorText(
            code: "auth/unverified-email", status: 403, title: "Your e-mail address is not confirmed",
            happened: "This step needs an account with a confirmed e-mail address.",
            next: "Open the link in the mail that we sent you. You can request a new one on your account page.", remedy: .account),
    ]
}
