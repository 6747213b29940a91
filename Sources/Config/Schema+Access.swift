extension Schema {
    static let session: [Key] = [
        Key(
            "keys", .list(of: .scalar(.sessionKey)), example: "[\"${file:./session.key}\"]",
            "Base64 of at least 32 random bytes each; the first seals, every one opens. Absent: a key for this process only."),
        Key("idleTimeout", .scalar(.duration(minimum: 1000)), fallback: "1h", "A session that is not used ends after this."),
        Key("absoluteTimeout", .scalar(.duration(minimum: 1000)), fallback: "24h", "Every session ends after this."),
        Key("cookie", .mapping(.cookie), "The session cookie."),
        Key(
            "refresh", .scalar(.boolean), fallback: "true",
            "Whether tokens and claims are renewed before the access token expires, where the provider issued a refresh token."),
        Key("exchange", .mapping(.exchange), "ID tokens that are exchanged for a session; absent: none."),
        Key("store", .scalar(.store), fallback: "cookie", "Where sessions live: in the cookie itself, or the URL of a Redis store."),
        Key(
            "revocations", .scalar(.path), example: "/var/lib/gateway/revocations",
            "With `store: cookie`: the file that a restart reads ended sessions from. Absent: a restart forgets sign-outs and logouts."),
    ]

    static let cookie: [Key] = [
        Key(
            "name", .scalar(.cookieName), fallback: "session",
            "The cookie's name; on https `__Host-` is put in front, or `__Secure-` with a domain."),
        Key(
            "domain", .scalar(.cookieDomain), example: "example.com",
            "A parent domain of `publicURL`'s host, to share the session with its other hosts."),
        Key("sameSite", .scalar(.choice(SessionConfiguration.SameSite.self)), fallback: "lax", "The cookie's `SameSite` attribute."),
    ]

    static let identity: [Key] = [
        Key(
            "headers",
            .anyOf([
                .scalar(.choice(IdentityConfiguration.Profile.self)), .list(of: .scalar(.choice(IdentityConfiguration.Profile.self))),
                .map(of: .scalar(.template), keys: "header names"),
            ]),
            fallback: "forwarded", example: "{ X-User: \"{{ username }}\" }",
            "The headers that carry the identity: a profile, a list of profiles, or a map from header name to value template."),
        Key(
            "unverifiedEmail", .scalar(.boolean), fallback: "false",
            "Also send an address that the provider does not vouch for in `X-Forwarded-Email`."),
        Key("assertion", .mapping(.assertion), "A signed statement of the identity for the upstream."),
    ]

    static let assertion: [Key] = [
        Key("header", .scalar(.headerName), fallback: "X-Gateway-Assertion", "The header that carries the assertion."),
        Key("audience", .scalar(.text), "The `aud` claim; absent: the upstream's origin."),
        Key(
            "keys", .list(of: .scalar(.secret)), fallback: "[]", example: "[\"${file:./assertion.pem}\"]",
            "ES256 private keys in PEM (`gateway keygen assertion`); the first signs, all are published at `/jwks.json`. Without one nothing is sent."
        ),
        Key("lifetime", .scalar(.duration(minimum: 1000)), fallback: "5m", "How long an assertion is valid."),
    ]

    static let route: [Key] =
        [
            Key("host", .scalar(.hostPattern), example: "admin.example.com", "The host; a leading `*.` matches one or more labels."),
            Key(
                "path", .scalar(.pathPattern), fallback: "/**", example: "/static/**",
                "The path: `*` is one segment, `**` any number, `{name}` one captured segment."),
            Key("methods", .list(of: .scalar(.method)), example: "[GET, HEAD]", "The methods; absent: every method."),
            Key(
                "upstream", upstreamTypes, example: "http://127.0.0.1:9000",
                "Where this route goes, written like the top-level `upstream`; absent: there."),
            Key(
                "access", .anyOf([.scalar(.words(["public", "authenticated"])), .mapping(.access)]), fallback: "authenticated",
                "Who may pass: `public`, `authenticated`, or conditions that must all hold."),
            Key("paths", .scalar(.choice(PathPolicy.self)), "Like `server.paths`, for this route."),
            Key(
                "bearer", bearerValue, example: "{ providers: [oidc.acme] }",
                "Like the top-level `bearer`, for this route; `off` switches it off."),
        ] + routing + everywhere

    static let access: [Key] = [
        Key("emails", .list(of: .scalar(.emailPattern)), example: "[\"*@example.com\"]", "Verified addresses, or `*@domain`."),
        Key("groups", .list(of: .scalar(.text)), example: "[admins]", "Groups, one of which the person is in."),
        Key("users", .list(of: .scalar(.text)), "Gateway user ids."),
        Key("providers", .list(of: .scalar(.text)), example: "[google.com]", "Providers, one of which the person signed in with."),
        Key(
            "claims", .map(of: .oneOrMany(.text), keys: "claim names"), example: "{ department: [engineering] }",
            "Claims and the values that satisfy them."),
        Key("maxAge", .scalar(.duration(minimum: 1000)), example: "15m", "A sign-in more recent than this, else another is asked for."),
        Key("secondFactor", .scalar(.boolean), fallback: "false", "A second factor was used."),
        Key("anyOf", .list(of: .mapping(.access)), "Alternatives, one of which must hold."),
    ]
}
