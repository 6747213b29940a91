extension ErrorCodePages.Entry {
    /// How a sign-in fails, as `SignInError.Code` lists it.
    static let signIn: [ErrorCodePages.Entry] = [
        ErrorCodePages.Entry(
            code: "auth/invalid-request", status: 400,
            happened:
                "The callback is malformed: a repeated protocol parameter, a broken escape, over 16 KiB, or neither a code nor an error",
            remedy:
                "Start the sign-in again. If every sign-in fails, a proxy between browser and gateway rewrites URLs"),
        ErrorCodePages.Entry(
            code: "auth/invalid-state", status: 400,
            happened:
                "The callback belongs to no sign-in that this browser started: the cookie is missing, the `state` or the callback belongs to another sign-in or provider, or the link was shared",
            remedy:
                "Start from the app's own address. If every sign-in fails: cookies are blocked, the browser returns to a host other than `publicURL`, or several gateways have different `session.keys`"
        ),
        ErrorCodePages.Entry(
            code: "auth/login-expired", status: 400,
            happened:
                "The sign-in took over ten minutes, or its callback arrived a second time (Back button, reload)",
            remedy:
                "Nothing: with a valid session the gateway redirects to the app, otherwise it starts the sign-in again"),
        ErrorCodePages.Entry(
            code: "auth/invalid-issuer", status: 400,
            happened:
                "The callback's `iss` (RFC 9207) is not the expected issuer, or is missing although the provider promises it",
            remedy:
                "Compare `issuer` with the provider's discovery document, byte for byte. If they agree, someone deliberately mixed up the responses of two providers"
        ),
        ErrorCodePages.Entry(
            code: "auth/access-denied", status: 403,
            happened:
                "The user cancelled, the provider denied access, or the account is outside of the configured `hd` domain",
            remedy:
                "Sign in again, or permit the account to use the application at the provider"),
        ErrorCodePages.Entry(
            code: "auth/interaction-required", status: 403,
            happened:
                "The provider must show a page (sign-in, consent), but the request forbids it",
            remedy:
                "Remove `prompt: none` from `customParameters`, or sign in at the provider first"),
        ErrorCodePages.Entry(
            code: "auth/provider-error", status: 502,
            happened:
                "The provider reported an error in the callback or at its token endpoint",
            remedy:
                "Read `providerCode` in the log, see below"),
        ErrorCodePages.Entry(
            code: "auth/invalid-token-response", status: 502,
            happened:
                "The response of the token endpoint is unusable: no JSON, a missing or mistyped member, a `token_type` other than Bearer, or no ID token",
            remedy:
                "Check that `endpoints.token` or the preset's `baseURL` belongs to the provider and that no proxy answers instead"),
        ErrorCodePages.Entry(
            code: "auth/invalid-id-token", status: 502,
            happened:
                "The ID token failed a check; the log names it",
            remedy:
                "See below"),
        ErrorCodePages.Entry(
            code: "auth/invalid-userinfo", status: 502,
            happened:
                "The userinfo response is unusable or lacks the subject claim",
            remedy:
                "Check `endpoints.userinfo`, `claims.subject` and the granted scopes; set `userinfo: false` if the ID token has all claims"),
        ErrorCodePages.Entry(
            code: "auth/subject-mismatch", status: 502,
            happened:
                "Userinfo describes a different user than the ID token",
            remedy:
                "Report this to the provider: it mixes up sessions. No setting of the gateway causes it"),
        ErrorCodePages.Entry(
            code: "auth/provider-unavailable", status: 502,
            happened:
                "No connection, a 5xx or 429 response, a response over 1 MiB, or unusable discovery metadata",
            remedy:
                "Read the reason in `/readyz?verbose`. The gateway retries by itself, at most 15 seconds apart, and at the next sign-in"),
        ErrorCodePages.Entry(
            code: "auth/provider-timeout", status: 504,
            happened:
                "The provider did not respond within ten seconds",
            remedy:
                "As above"),
    ]
}
