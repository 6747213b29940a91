extension ErrorText {
    /// Codes of second factors. `auth/unverified-email` and `auth/too-many-requests` are among those of accounts.
    package static let secondFactorCatalogue: [ErrorText] = [
        ErrorText(
            code: "auth/multi-factor-auth-required", status: 401, title: "A second factor is required",
            happened: "This step needs a second factor besides your sign-in.",
            next: "Continue with your second factor.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-verification-code", status: 400, title: "The code is wrong",
            happened: "The code is wrong, or it was already used.",
            next: "Go back and enter the current code.", remedy: .none),
        ErrorText(
            code: "auth/code-expired", status: 400, title: "The code has expired",
            happened: "The code is too old, or the step that it belongs to has ended.",
            next: "Sign in again and enter a new code.", remedy: .signInAgain),
        ErrorText(
            code: "auth/second-factor-already-in-use", status: 409, title: "This second factor is already in use",
            happened: "It is already a second factor of an account on this site. Nothing was changed.",
            next: "Add another second factor.", remedy: .account),
        ErrorText(
            code: "auth/maximum-second-factor-count-exceeded", status: 409, title: "Too many second factors",
            happened: "Your account has as many second factors as it can have.",
            next: "Remove one before you add another.", remedy: .account),
        ErrorText(
            code: "auth/multi-factor-info-not-found", status: 404, title: "This second factor does not exist",
            happened: "Your account has no such second factor. Perhaps you removed it in another window.",
            next: "Look up your second factors on your account page.", remedy: .account),
        ErrorText(
            code: "auth/unsupported-first-factor", status: 403, title: "Add a way to sign in first",
            happened: "An account without a way to sign in cannot have second factors.",
            next: "Add a way to sign in on your account page.", remedy: .account),
        ErrorText(
            code: "auth/invalid-phone-number", status: 400, title: "This phone number cannot be used",
            happened: "The phone number is incomplete, or it has no country code.",
            next: "Go back and enter the number with its country code.", remedy: .none),
        ErrorText(
            code: "auth/operation-not-allowed", status: 403, title: "This is not available",
            happened: "This site does not offer this kind of second factor, or your account does not allow this.",
            next: "Look at your account page for what you can do.", remedy: .account),
    ]
}
