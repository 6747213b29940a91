extension ErrorCodePages {
    /// Accounts: sign-in, linking, passwords.
    static let accounts: [Entry] = [
        Entry(
            "auth/account-exists-with-different-credential", 409,
            "An account has the address of the new identity, and `accounts.linking` does not link the two. Nobody is signed in",
            remedy: "Sign in to that account within ten minutes and in the same browser; the new identity is then linked to it"),
        Entry(
            "auth/email-already-in-use", 403,
            "The address belongs to another account: at a sign-in with `linking: never`; at a link the status is 409",
            remedy: "Sign in to that account, or use an identity with another address"),
        Entry(
            "auth/user-disabled", 403,
            "The account is disabled",
            remedy: "Enable it with `gateway users enable UID`"),
        Entry(
            "auth/admin-restricted-operation", 403,
            "No account has the identity, and `accounts.signUp` is `closed`",
            remedy: "Create the account with `gateway users create`, or set `signUp: open`"),
        Entry(
            "auth/provider-already-linked", 409,
            "The account already has an identity of this provider",
            remedy: "Unlink that identity first"),
        Entry(
            "auth/credential-already-in-use", 409,
            "The identity to link belongs to another account; nothing was changed",
            remedy: "Sign in to the other account, or unlink the identity there first"),
        Entry(
            "auth/no-such-provider", 404,
            "The account has no identity of this provider, so there is nothing to unlink",
            remedy: "Read the account's providers at `/account`"),
        Entry(
            "auth/last-provider", 409,
            "The identity is the account's only way to sign in",
            remedy: "Link another provider or set a password first"),
        Entry(
            "auth/user-mismatch", 403,
            "The re-authentication signed in to another account than the session's; the session stays",
            remedy: "Sign in again to the same account"),
        Entry(
            "auth/invalid-credential", 401,
            "The e-mail address or the password is wrong; the response is the same for an unknown address",
            remedy: "Check both, or reset the password"),
        Entry(
            "auth/weak-password", 400,
            "The password has fewer characters than `minimumLength`, more than 1,024 bytes, or is among the 10,000 most common",
            remedy: "Choose another password"),
        Entry(
            "auth/too-many-requests", 429,
            "Too many failed attempts for an address or from a client address",
            remedy: "Wait for the number of seconds in `Retry-After`; until then, the right password is rejected, too"),
        Entry(
            "auth/unverified-email", 403,
            "The step requires a verified e-mail address",
            remedy: "Verify the address first"),
    ]
}
