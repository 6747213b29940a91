extension ErrorCodePages {
    /// Every published code, in the order of `docs/errors.md`.
    package static let entries: [Entry] = signIn + accounts + accessAndProxy

    /// How a sign-in fails: `SignInError.Code`.
    private static let signIn: [Entry] = [
        Entry(
            "auth/invalid-request", 400,
            "The callback is malformed: a repeated protocol parameter, a broken escape, over 16 KiB, or neither a code nor an error",
            remedy: "Start the sign-in again. If every sign-in fails, a proxy between browser and gateway rewrites URLs"),
        Entry(
            "auth/invalid-state", 400,
            "The callback belongs to no sign-in that this browser started: the cookie is missing, the `state` or the callback belongs to another sign-in or provider, or the link was shared",
            remedy:
                "Start from the app's own address. If every sign-in fails: cookies are blocked, the browser returns to a host other than `publicURL`, or several gateways have different `session.keys`"
        ),
        Entry(
            "auth/login-expired", 400,
            "The sign-in took over ten minutes, or its callback arrived a second time (Back button, reload)",
            remedy: "Nothing: with a valid session the gateway redirects to the app, otherwise it starts the sign-in again"),
        Entry(
            "auth/invalid-issuer", 400,
            "The callback's `iss` (RFC 9207) is not the expected issuer, or is missing although the provider promises it",
            remedy:
                "Compare `issuer` with the provider's discovery document, byte for byte. If they agree, someone deliberately mixed up the responses of two providers"
        ),
        Entry(
            "auth/access-denied", 403,
            "The user cancelled, the provider denied access, the account is outside of the configured `hd` domain, or an access rule denied the request",
            remedy: "Sign in again, or permit the account to use the application, at the provider or in the access rule"),
        Entry(
            "auth/interaction-required", 403,
            "The provider must show a page (sign-in, consent), but the request forbids it",
            remedy: "Remove `prompt: none` from `customParameters`, or sign in at the provider first"),
        Entry(
            "auth/provider-error", 502,
            "The provider reported an error in the callback or at its token endpoint",
            remedy: "Look up the `provider_error` of the log event in docs/errors.md"),
        Entry(
            "auth/invalid-token-response", 502,
            "The response of the token endpoint is unusable: no JSON, a missing or mistyped member, a `token_type` other than Bearer, or no ID token",
            remedy: "Check that `endpoints.token` or the preset's `baseURL` belongs to the provider and that no proxy answers instead"),
        Entry(
            "auth/invalid-id-token", 502,
            "The ID token failed a check; the log names it",
            remedy: "Look up the `reason` of the log event in docs/errors.md"),
        Entry(
            "auth/invalid-userinfo", 502,
            "The userinfo response is unusable or lacks the subject claim",
            remedy:
                "Check `endpoints.userinfo`, `claims.subject` and the granted scopes; set `userinfo: false` if the ID token has all claims"),
        Entry(
            "auth/subject-mismatch", 502,
            "Userinfo describes a different user than the ID token",
            remedy: "Report this to the provider: it mixes up sessions. No setting of the gateway causes it"),
        Entry(
            "auth/provider-unavailable", 502,
            "No connection, a 5xx or 429 response, a response over 1 MiB, or unusable discovery metadata",
            remedy: "Read the reason in `/readyz?verbose`. The gateway retries by itself, at most 15 seconds apart, and at the next sign-in"
        ),
        Entry(
            "auth/provider-timeout", 504,
            "The provider did not respond within ten seconds",
            remedy: "Read the reason in `/readyz?verbose`. The gateway retries by itself, at most 15 seconds apart, and at the next sign-in"
        ),
    ]

    /// Access, sessions and the proxy.
    private static let accessAndProxy: [Entry] = [
        Entry(
            "auth/invalid-callback", 400,
            "The provider's response was incomplete or contradictory",
            remedy: "Start the sign-in again"),
        Entry(
            "auth/invalid-csrf-token", 400,
            "The submitted page was too old or belonged to another session; nothing was changed",
            remedy: "Open the page again and repeat the step"),
        Entry(
            "auth/invalid-logout-token", 400,
            "The logout token is malformed, expired, already used, or for another client",
            remedy: "Let the provider send a new logout token"),
        Entry(
            "auth/cross-site-request", 403,
            "Another site's page, or a program without `Origin`, sent a request with a user's session; `csrf: origin` rejected it",
            remedy: "Send the request from a page of this site, or send `Origin`"),
        Entry(
            "auth/login-required", 401,
            "The route requires a sign-in, and the request has no valid session",
            remedy: "Sign in; programs follow `login_url` or send a [bearer token](bearer.md)"),
        Entry(
            "auth/requires-recent-login", 401,
            "The sign-in is older than the rule's `maxAge`, or than `accounts.recentLogin` where the account changes",
            remedy: "Sign in again"),
        Entry(
            "auth/insufficient-user-authentication", 401,
            "Only the rule's `acr` is missing: the sign-in has none of its values. After a sign-in that asked for them, the status is 403: the provider confirmed none",
            remedy: "Sign in again at `login_url`, which asks the provider for one of the values; check which the provider supports"),
        Entry(
            "auth/session-expired", 401,
            "The session has ended; `reason` says why ([sessions](sessions.md#when-a-session-is-valid))",
            remedy: "Sign in again"),
        Entry(
            "auth/invalid-token", 401,
            "The bearer token is malformed, expired, for another audience, or of a kind that the route does not accept. For the link of a mail that has expired or was used, the status is 400",
            remedy: "Request a new token for this app and send it in `Authorization`; or request a new mail"),
        Entry(
            "auth/insufficient-scope", 403,
            "The token lacks one of `accessTokens.scopes`",
            remedy: "Request a token with these scopes"),
        Entry(
            "auth/second-factor-required", 403,
            "The rule requires a second factor, and the sign-in had none",
            remedy: "Sign in again with a second factor"),
        Entry(
            "auth/unknown-provider", 404,
            "The provider in the URL is not configured or is disabled",
            remedy: "Choose another provider; check `providers`"),
        Entry(
            "auth/store-unavailable", 503,
            "The gateway cannot reach its session store or its store of accounts",
            remedy: "Try again in a minute; the user is still signed in"),
        Entry(
            "auth/signout-failed", 503,
            "The gateway could not record the sign-out",
            remedy: "See the [runbook](operations/runbook.md#sign-outs-answer-503)"),
        Entry(
            "auth/unsupported", 409,
            "`session.store` is `cookie`, so the gateway can neither list sessions nor find one by its id",
            remedy: "Use a store that keeps sessions, or end all sessions of the user through the [admin interface](operations/sessions.md)"
        ),
        Entry(
            "auth/no-such-session", 404,
            "No live session has this id; for a user, none of the user's own",
            remedy: "List the sessions again"),
        Entry(
            "proxy/bad-request", 400,
            "The request is malformed or ambiguous",
            remedy: "Check the URL and the client; the log has the reason"),
        Entry(
            "proxy/forbidden", 403,
            "The gateway does not permit this request",
            remedy: "Read `reason` in the log"),
        Entry(
            "proxy/connection-authentication", 403,
            "The request has NTLM or Negotiate credentials for the upstream, and came over HTTP/2, or without a session through a trusted proxy",
            remedy: "See [upstreams](upstreams.md#ntlm-and-negotiate)"),
        Entry(
            "proxy/origin-not-allowed", 403,
            "A page of another site opened a WebSocket with a user's session",
            remedy: "Add its origin to `webSockets.origins` if it is yours"),
        Entry(
            "proxy/not-found", 404,
            "The URL does not exist",
            remedy: "Check the URL"),
        Entry(
            "proxy/method-not-allowed", 405,
            "The URL does not support this method",
            remedy: "Use a method from the `Allow` header"),
        Entry(
            "proxy/request-timeout", 408,
            "The client sent the request too slowly",
            remedy: "Check the connection; for slow clients see [limits](routes.md#slow-and-greedy-clients)"),
        Entry(
            "proxy/content-too-large", 413,
            "The request body exceeds the limit",
            remedy: "Raise `limits.bodyBytes` on the route if such bodies are expected"),
        Entry(
            "proxy/uri-too-long", 414,
            "The URL exceeds the limit",
            remedy: "Shorten the URL"),
        Entry(
            "proxy/expectation-failed", 417,
            "The request has an `Expect` value other than `100-continue`",
            remedy: "Send the request without `Expect`"),
        Entry(
            "proxy/misdirected-request", 421,
            "No route serves this host, or its TLS connection is for another host",
            remedy: "Check the host; add a route or a certificate for it"),
        Entry(
            "proxy/too-many-requests", 429,
            "The client sent too many requests in a short time",
            remedy: "Wait a minute"),
        Entry(
            "proxy/headers-too-large", 431,
            "The request headers exceed the limit, most often because of old cookies",
            remedy: "Delete the site's cookies; see `limits.headerBytes`"),
        Entry(
            "proxy/internal-error", 500,
            "The gateway has an internal error",
            remedy: "Report it with the log lines of the request"),
        Entry(
            "proxy/not-implemented", 501,
            "The request uses an unsupported feature of HTTP",
            remedy: "Check the client"),
        Entry(
            "proxy/bad-gateway", 502,
            "The upstream gave no usable response",
            remedy: "Read `reason` in the log; see the [runbook](operations/runbook.md#the-app-does-not-answer)"),
        Entry(
            "proxy/unavailable", 503,
            "The gateway cannot handle the request now",
            remedy: "Try again in a minute"),
        Entry(
            "proxy/upstream-busy", 503,
            "All connections to the upstream are in use (`maxConnections`)",
            remedy: "See the [runbook](operations/runbook.md#the-app-does-not-answer)"),
        Entry(
            "proxy/audit-unavailable", 503,
            "The gateway cannot write audit records, and `audit.onFailure` is `refuse`",
            remedy: "See the [runbook](operations/runbook.md#log-lines-are-lost)"),
        Entry(
            "proxy/gateway-timeout", 504,
            "The upstream did not respond in time; it may still process the request",
            remedy: "Wait before repeating the request; see `timeouts.upstreamResponse`"),
        Entry(
            "proxy/version-not-supported", 505,
            "The client uses an unsupported HTTP version",
            remedy: "Use HTTP/1.1 or HTTP/2"),
        Entry(
            "proxy/loop-detected", 508,
            "The upstream's address leads back to this gateway",
            remedy: "Correct `upstream`"),
    ]
}
