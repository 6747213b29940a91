extension ErrorText {
    /// `auth/access-denied` of a rule: the person is signed in and not on the list. The catalogue's entry of that code is
    /// about the provider's refusal, so a caller that knows it was a rule passes this text.
    package static let deniedByRule = ErrorText(
        code: "auth/access-denied", status: 403, title: "This page is not open to you",
        happened: "You are signed in, but your account is not on the list for this page.",
        next: "If you have another account, use that one. Otherwise ask the people who run this site for access.",
        remedy: .otherAccount)

    /// Codes of the sign-in, the session and the rules.
    package static let signInCatalogue: [ErrorText] = [
        ErrorText(
            code: "auth/login-required", status: 401, title: "Please sign in",
            happened: "This page is for people who are signed in.",
            next: "Sign in, and you will come straight back.", remedy: .signInAgain),
        ErrorText(
            code: "auth/requires-recent-login", status: 401, title: "Please sign in once more",
            happened: "This page asks for a recent sign-in, and yours was a while ago.",
            next: "Sign in again to go on. Nothing else has changed.", remedy: .signInAgain),
        ErrorText(
            code: "auth/session-expired", status: 401, title: "Your session has ended",
            happened: "You were away for a while, or signed out in another window.",
            next: "Sign in again to go on where you were.", remedy: .signInAgain),
        ErrorText(
            code: "auth/cross-site-request", status: 403, title: "This did not come from here",
            happened: "Another site's page, or a program, tried to change something here with your session. Nothing was changed.",
            next: "If it was you, open this site and repeat the step there.", remedy: .home),
        ErrorText(
            code: "auth/second-factor-required", status: 403, title: "One more step is needed",
            happened: "This page asks for a sign-in with a second factor, and yours had none.",
            next: "Sign in again and confirm with your second factor.", remedy: .signInAgain),
        ErrorText(
            code: "auth/access-denied", status: 403, title: "The sign-in was not allowed",
            happened: "The provider did not let this sign-in through, or it was cancelled there.",
            next: "If you cancelled by mistake, sign in again. If not, your account may lack access.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-state", status: 400, title: "This sign-in cannot be finished",
            happened: "It was not started in this browser, or its cookie is gone.",
            next: "Start again from here. If it keeps happening, allow cookies for this site.", remedy: .signInAgain),
        ErrorText(
            code: "auth/login-expired", status: 400, title: "This sign-in cannot be finished",
            happened: "It took too long, or it was finished already.",
            next: "Start again from here.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-issuer", status: 400, title: "This sign-in cannot be finished",
            happened: "The answer came from another provider than the one you went to, so it was not accepted.",
            next: "Start again from here. If it happens again, tell the people who run this site.", remedy: .signInAgain),
        ErrorText(
            code: "auth/interaction-required", status: 403, title: "The provider wants to ask you something",
            happened: "The provider could not sign you in without showing you a page of its own.",
            next: "Sign in again and follow what the provider asks.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-callback", status: 400, title: "This sign-in cannot be finished",
            happened: "The answer that came back from the provider was incomplete or contradictory.",
            next: "Start again from here.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-request", status: 400, title: "That link does not work",
            happened: "Something in the address is missing, doubled or not allowed.",
            next: "Go to the start page and try from there.", remedy: .home),
        ErrorText(
            code: "auth/invalid-csrf-token", status: 400, title: "That form is out of date",
            happened: "The page you sent was opened too long ago or belongs to another session. Nothing was changed.",
            next: "Open the page again and repeat the step.", remedy: .tryAgain),
        ErrorText(
            code: "auth/unknown-provider", status: 404, title: "There is no such sign-in here",
            happened: "The provider in this address is not set up on this site, or is switched off.",
            next: "Choose one of the ways to sign in that this site offers.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-error", status: 502, title: "The provider could not sign you in",
            happened: "The provider answered with an error of its own.",
            next: "Try again in a moment. If it stays like this, the people who run this site need to look at it.",
            remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-id-token", status: 502, title: "The provider's answer did not check out",
            happened: "What the provider said about you failed a security check, so it was not accepted.",
            next: "Try again. If it stays like this, the people who run this site need to look at it.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-token-response", status: 502, title: "The provider's answer did not check out",
            happened: "The provider confirmed the sign-in in a form that this site cannot use.",
            next: "Try again. If it stays like this, the people who run this site need to look at it.", remedy: .signInAgain),
        ErrorText(
            code: "auth/invalid-userinfo", status: 502, title: "The provider's answer did not check out",
            happened: "The provider did not say in a usable form who you are.",
            next: "Try again. If it stays like this, the people who run this site need to look at it.", remedy: .signInAgain),
        ErrorText(
            code: "auth/subject-mismatch", status: 502, title: "The provider's answer did not check out",
            happened: "Two answers of the provider were about different people, so neither was accepted.",
            next: "Try again. If it stays like this, the people who run this site need to look at it.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-unavailable", status: 502, title: "The provider cannot be reached",
            happened: "This site could not talk to the provider that signs you in.",
            next: "Try again in a minute. Your account is fine.", remedy: .signInAgain),
        ErrorText(
            code: "auth/provider-timeout", status: 504, title: "The provider takes too long",
            happened: "The provider that signs you in did not answer in time.",
            next: "Try again in a minute. Your account is fine.", remedy: .signInAgain),
        ErrorText(
            code: "auth/store-unavailable", status: 503, title: "Sessions are not available",
            happened: "This site cannot reach the place where it keeps sessions.",
            next: "Try again in a minute. You have not been signed out.", remedy: .tryAgain),
        ErrorText(
            code: "auth/signout-failed", status: 503, title: "The sign-out did not work",
            happened: "This site could not record that you signed out.",
            next: "Try again in a minute. On a shared computer, close the browser in any case.", remedy: .tryAgain),
        ErrorText(
            code: "auth/invalid-token", status: 401, title: "That token was refused",
            happened: "The token is malformed, expired, not meant for this site, or of a kind that is not taken here.",
            next: "Get a fresh token for this site and send it in the Authorization header.", remedy: .none),
        ErrorText(
            code: "auth/insufficient-scope", status: 403, title: "That token allows too little",
            happened: "The token is good, but it lacks a scope that is needed here.",
            next: "Ask the provider for a token with the scopes of this API.", remedy: .none),
        ErrorText(
            code: "auth/invalid-logout-token", status: 400, title: "That logout token was refused",
            happened: "The logout token is malformed, expired, used before or not meant for this site.",
            next: "Send a fresh logout token.", remedy: .none),
    ]
}
