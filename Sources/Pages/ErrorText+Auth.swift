extension ErrorText {
    /// `auth/access-denied` of a rule: the user is signed in, and the rule does not allow the account. The catalogue's entry of that code is
    /// about the provider's refusal, so a caller that knows it was a rule passes this text.
    package static let deniedByRule = ErrorText(
        code: "auth/access-denied", status: 403, title: "You do not have access to this page",
        happened: "You are signed in, but your account is not allowed to open this page.",
        next: "Use another account, or ask the site's administrator for access.",
        remedy: .otherAccount)

    /// Codes of the sign-in, the session and the rules.
    package static let signInCatalogue: [ErrorText] = [
        ErrorText(
            code: "auth/login-required", status: 401, title: "Please sign in",
            happened: "You need to sign in to open this page.",
            next: "After you sign in, you return to this page.", remedy: .signInAgain),
        ErrorText(
            code: "auth/requires-recent-login", status: 401, title: "Please sign in again",
            happened: "This page requires a recent sign-in, and your last one is too old.",
            next: "Sign in again to continue.", remedy: .signInAgain),
        ErrorText(
            code: "auth/insufficient-user-authentication", status: 401, title: "A stronger sign-in is required",
            happened: "This page requires a stronger sign-in than the one you made.",
            next: "Sign in again with a stronger method, such as a security key.", remedy: .signInAgain),
        ErrorText(
            code: "auth/session-expired", status: 401, title: "Your session has ended",
            happened: "You were inactive for too long, or you signed out in another window.",
            next: "Sign in again to continue where you left off.", remedy: .signInAgain),
        ErrorText(
            code: "auth/cross-site-request", status: 403, title: "A request from another site was blocked",
            happened: "A page of another site, or a program, tried to change something here with your session. Nothing was changed.",
            next: "If you intended this, open this site and repeat the step there.", remedy: .home),
        ErrorText(
            code: "auth/second-factor-required", status: 403, title: "A second factor is required",
            happened: "This page requires a second factor, and you signed in without one.",
            next: "Sign in again and confirm with your second factor.", remedy: .signInAgain),
        ErrorText(
            code: "auth/access-denied", status: 403, title: "The sign-in was not allowed",
            happened: "The provider refused the sign-in, or it was cancelled there.",
            next: "If you cancelled by mistake, sign in again. Otherwise your account may not have access.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-state", status: 400, title: "The sign-in could not be completed",
            happened: "The sign-in was started in another browser, or its cookie is missing.",
            next: "Sign in again. If this happens again, allow cookies for this site.", remedy: .signInAgain),
        ErrorText(
            code: "auth/login-expired", status: 400, title: "The sign-in could not be completed",
            happened: "The sign-in took too long, or it was already completed.",
            next: "Sign in again.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-issuer", status: 400, title: "The sign-in could not be completed",
            happened: "The response came from a different provider than the one you chose, so it was rejected.",
            next: "Sign in again. If this happens again, tell the site's administrator.", remedy: .signInAgain),
        ErrorText(
            code: "auth/interaction-required", status: 403, title: "The provider needs your input",
            happened: "The provider could not sign you in without showing you a page.",
            next: "Sign in again and follow the provider's instructions.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-callback", status: 400, title: "The sign-in could not be completed",
            happened: "The provider's response was incomplete or contradictory.",
            next: "Sign in again.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-request", status: 400, title: "This link does not work",
            happened: "A part of the address is missing, repeated or not allowed.",
            next: "Go to the start page and try from there.", remedy: .home),
        ErrorText(
            code: "auth/invalid-csrf-token", status: 400, title: "This form has expired",
            happened: "The form was opened too long ago, or it belongs to another session. Nothing was changed.",
            next: "Open the page again and repeat the step.", remedy: .tryAgain),
        ErrorText(
            code: "auth/unknown-provider", status: 404, title: "Unknown provider",
            happened: "The provider in this address is not configured on this site, or it is disabled.",
            next: "Choose one of the providers of this site.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-error", status: 502, title: "The provider could not sign you in",
            happened: "The provider returned an error.",
            next: "Try again in a moment. If it still fails, tell the site's administrator.",
            remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-id-token", status: 502, title: "The provider's response failed verification",
            happened: "The information that the provider sent about you failed a security check, so it was rejected.",
            next: "Try again. If it still fails, tell the site's administrator.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-token-response", status: 502, title: "The provider's response failed verification",
            happened: "The provider confirmed the sign-in, but this site cannot use its response.",
            next: "Try again. If it still fails, tell the site's administrator.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-userinfo", status: 502, title: "The provider's response failed verification",
            happened: "The provider did not send usable information about your account.",
            next: "Try again. If it still fails, tell the site's administrator.", remedy: .signInAgain),
        ErrorText(
            code: "auth/subject-mismatch", status: 502, title: "The provider's response failed verification",
            happened: "Two responses of the provider name different accounts, so both were rejected.",
            next: "Try again. If it still fails, tell the site's administrator.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-unavailable", status: 502, title: "The provider cannot be reached",
            happened: "This site could not connect to the provider.",
            next: "Try again in a minute. Your account is not affected.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-timeout", status: 504, title: "The provider takes too long",
            happened: "The provider did not respond in time.",
            next: "Try again in a minute. Your account is not affected.", remedy: .signInAgain),
        ErrorText(
            code: "auth/store-unavailable", status: 503, title: "Sessions are unavailable",
            happened: "This site cannot reach its session store.",
            next: "Try again in a minute. You have not been signed out.", remedy: .tryAgain),
        ErrorText(
            code: "auth/signout-failed", status: 503, title: "The sign-out failed",
            happened: "This site could not record that you signed out.",
            next: "Try again in a minute. On a shared computer, close the browser.", remedy: .tryAgain),
        ErrorText(
            code: "auth/unsupported", status: 409, title: "Not available on this site",
            happened: "This site does not keep a list of sessions.",
            next: "To end the session of this browser, sign out.", remedy: .home),
        ErrorText(
            code: "auth/no-such-session", status: 404, title: "This session does not exist",
            happened: "The session has ended already, or it is not one of yours. Nothing was changed.",
            next: "Open the list of your sessions again.", remedy: .home),
        ErrorText(
            code: "auth/invalid-token", status: 401, title: "The token was rejected",
            happened: "The token is malformed, expired, issued for another site, or of a type that is not accepted here.",
            next: "Get a new token for this site and send it in the Authorization header.", remedy: .none),
        ErrorText(
            code: "auth/insufficient-scope", status: 403, title: "The token lacks a scope",
            happened: "The token is valid, but it lacks a scope that is required here.",
            next: "Ask the provider for a token with the scopes of this API.", remedy: .none),
        ErrorText(
            code: "auth/invalid-logout-token", status: 400, title: "The logout token was rejected",
            happened: "The logout token is malformed, expired, already used or issued for another site.",
            next: "Send a new logout token.", remedy: .none),
    ]
}
