extension ErrorCodePages {
    /// Accounts: sign-in, linking, passwords.
    static let accounts: [Entry] = [
        Entry(
            "auth/account-exists-with-different-credential", 409,
            "An account has the address of the new identity, and `accounts.linking` does not link the two. Nobody is signed in",
            remedy:
                "Sign in to that account within ten minutes and in the same browser; the user is then asked whether to link the new identity to it"
        ),
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
            "The re-authentication signed in to another account than the session's; the session stays. Or the link of a mail is for another account than the session's",
            remedy: "Sign in again to the same account; for the link of a mail, sign in to its account or send its password"),
        Entry(
            "auth/invalid-credential", 401,
            "The e-mail address or the password is wrong, or the passkey's assertion was refused; the response is the same for an unknown address or passkey. At `/account/pending`, with status 400, nothing waits to be linked",
            remedy: "Check both, or reset the password. For a passkey, the log has the reason"),
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
        Entry(
            "auth/multi-factor-auth-required", 401,
            "The account has second factors and the sign-in waits for one, or the rule or the change of the account requires one and the session has none",
            remedy: "Answer at `/second-factor`; JSON has the account's factors in `hints`"),
        Entry(
            "auth/invalid-verification-code", 400,
            "The code is wrong or was used before, or the passkey's assertion was refused",
            remedy: "Enter the current code"),
        Entry(
            "auth/code-expired", 400,
            "The message's code, the pending sign-in, the passkey's challenge or the enrolment has expired or was completed, or the account has changed since",
            remedy: "Request a new code, or start the sign-in or the enrolment again"),
        Entry(
            "auth/second-factor-already-in-use", 409,
            "The second factor to add belongs to an account already",
            remedy: "Add another second factor"),
        Entry(
            "auth/maximum-second-factor-count-exceeded", 409,
            "The account has five second factors; recovery codes are not counted",
            remedy: "Remove one first"),
        Entry(
            "auth/multi-factor-info-not-found", 404,
            "The account has no such second factor",
            remedy: "Read the account's second factors at `/account`"),
        Entry(
            "auth/unsupported-first-factor", 403,
            "An anonymous account cannot have second factors",
            remedy: "Link a provider or set a password first"),
        Entry(
            "auth/invalid-phone-number", 400,
            "The phone number is not in the form of E.164: `+`, the country code and the number without spaces",
            remedy: "Send the number with its country code"),
        Entry(
            "auth/operation-not-allowed", 403,
            "`secondFactor.factors` does not list this kind of second factor. Or an anonymous user asked for an address at `/account/email`",
            remedy: "Add the kind to `secondFactor.factors`, or use another one; anonymous users register at `/sign-up`"),
    ]
}
