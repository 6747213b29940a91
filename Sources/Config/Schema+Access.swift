extension Schema {
    static let session: [Key] = [
        Key(
            "keys", .list(of: .scalar(.sessionKey)), example: "[\"${file:./session.key}\"]",
            "Base64 of at least 32 random bytes each. The first key seals sessions, every key opens them. Default: a random key per process."
        ),
        Key("idleTimeout", .scalar(.duration(minimum: 1000)), fallback: "1h", "A session ends after this time without a request."),
        Key("absoluteTimeout", .scalar(.duration(minimum: 1000)), fallback: "24h", "A session ends this long after sign-in."),
        Key("cookie", .mapping(.cookie), "The session cookie."),
        Key(
            "refresh", .scalar(.boolean), fallback: "true",
            "Whether to renew tokens and claims before the access token expires. Needs a refresh token from the provider."),
        Key("exchange", .mapping(.exchange), "ID tokens that can be exchanged for a session. Default: none."),
        Key(
            "store", .anyOf([.scalar(.store), .mapping(.sessionStore)]), fallback: "cookie",
            example: "\"redis://:${env:REDIS_PASSWORD}@redis:6379/0\"",
            "Where sessions are stored: in the cookie, or in Redis or Valkey at this URL. As a mapping, with further settings."),
        Key(
            "revocations", .scalar(.path), example: "/var/lib/gateway/revocations",
            "With `store: cookie`: the file that preserves ended sessions across restarts. Without it, sessions ended before a restart become valid again."
        ),
    ]

    static let sessionStore: [Key] = [
        Key(
            "url", .scalar(.sessionStoreURL), required: true, example: "\"rediss://:${env:REDIS_PASSWORD}@redis:6379/0\"",
            "The URL: `redis://`, `rediss://` for TLS, `redis+sentinel://host:26379,host:26379/NAME/0`, `redis+cluster://host:6379,host:6379`, `redis+unix:///path?db=0`."
        ),
        Key("prefix", .scalar(.text), fallback: "\"gateway:\"", "Begins all names and channels in the store."),
        Key(
            "timeout", .scalar(.duration(minimum: 10)), fallback: "1s",
            "The maximum time that a request waits for the store, and that an attempt to connect takes."),
        Key(
            "ca", .scalar(.path), example: "/etc/redis/ca.pem",
            "The PEM file of the trusted certificate authorities. Default: those of the system."),
        Key(
            "certificate", .scalar(.path), example: "/etc/redis/client.crt",
            "The PEM file of the client certificate, for servers that require one."),
        Key("key", .scalar(.path), example: "/etc/redis/client.key", "The PEM file of the private key of `certificate`."),
        Key("sentinelPassword", .scalar(.secret), example: "${env:SENTINEL_PASSWORD}", "The password of the Sentinels. Default: none."),
    ]

    static let cookie: [Key] = [
        Key(
            "name", .scalar(.cookieName), fallback: "session",
            "The cookie's name. On https the gateway adds the prefix `__Host-`, or `__Secure-` with a domain."),
        Key(
            "domain", .scalar(.cookieDomain), example: "example.com",
            "A parent domain of `publicURL`'s host, to share the session with other hosts below it."),
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
            "Headers with the user's identity: a profile, a list of profiles, or a map from header name to value template."),
        Key(
            "unverifiedEmail", .scalar(.boolean), fallback: "false",
            "Whether `X-Forwarded-Email` also carries addresses that the provider has not verified."),
        Key("assertion", .mapping(.assertion), "A signed statement of the user's identity for the upstream."),
    ]

    static let assertion: [Key] = [
        Key("header", .scalar(.headerName), fallback: "X-Gateway-Assertion", "The header for the assertion."),
        Key("audience", .scalar(.text), "The `aud` claim. Default: the upstream's origin."),
        Key(
            "keys", .list(of: .scalar(.secret)), fallback: "[]", example: "[\"${file:./assertion.pem}\"]",
            "ES256 private keys in PEM format (`gateway keygen assertion`). The first key signs; all are published at `/jwks.json`. Without a key, no assertion is sent."
        ),
        Key("lifetime", .scalar(.duration(minimum: 1000)), fallback: "5m", "How long an assertion is valid."),
    ]

    static let route: [Key] =
        [
            Key("host", .scalar(.hostPattern), example: "admin.example.com", "The host. A leading `*.` matches one or more labels."),
            Key(
                "path", .scalar(.pathPattern), fallback: "/**", example: "/static/**",
                "The path: `*` matches one segment, `**` any number, and `{name}` captures one segment."),
            Key("methods", .list(of: .scalar(.method)), example: "[GET, HEAD]", "The methods. Default: every method."),
            Key(
                "upstream", upstreamTypes, example: "http://127.0.0.1:9000",
                "The upstream of this route, in the same form as the top-level `upstream`, which is the default."),
            Key(
                "access", .anyOf([.scalar(.words(["public", "authenticated"])), .mapping(.access)]), fallback: "authenticated",
                "Who has access: `public`, `authenticated`, or conditions that must all match."),
            Key("paths", .scalar(.choice(PathPolicy.self)), "Like `server.paths`, for this route."),
            Key(
                "bearer", bearerValue, example: "{ providers: [oidc.acme] }",
                "Like the top-level `bearer`, for this route. `off` disables it."),
        ] + routing + everywhere

    static let access: [Key] = [
        Key("emails", .list(of: .scalar(.emailPattern)), example: "[\"*@example.com\"]", "The user's verified address, or `*@domain`."),
        Key("groups", .list(of: .scalar(.text)), example: "[admins]", "Groups. The user must be in at least one."),
        Key("users", .list(of: .scalar(.text)), "Gateway user ids."),
        Key("providers", .list(of: .scalar(.text)), example: "[google.com]", "Providers. The user must have signed in with one of them."),
        Key(
            "claims", .map(of: .oneOrMany(.text), keys: "claim names"), example: "{ department: [engineering] }",
            "Claims and their accepted values."),
        Key(
            "maxAge", .scalar(.duration(minimum: 1000)), example: "15m",
            "The maximum age of the sign-in. After it, the user must sign in again."),
        Key("secondFactor", .scalar(.boolean), fallback: "false", "Whether the user must have used a second factor."),
        Key(
            "acr", .list(of: .scalar(.contextClass)), example: "[phr]",
            "Authentication context classes (`acr` of the ID token). The sign-in must have one of them; otherwise the provider is asked for one."
        ),
        Key(
            "networks", .list(of: .scalar(.network)), example: "[10.0.0.0/8]",
            "Networks. The client's address must be in one of them."),
        Key(
            "condition", .scalar(.text), example: "'auth.uid == path.user'",
            "An expression of the Common Expression Language (CEL) that must be true. It can read `auth`, `request` and `path`."),
        Key(
            "signedIn", .scalar(.words(["required", "optional"])), fallback: "required",
            "`optional` also admits requests without a session if the other conditions match. `auth` is then `null`."),
        Key("anyOf", .list(of: .mapping(.access)), "Alternatives. At least one must match."),
    ]
}
