extension Schema {
    static let root: [Key] =
        [
            Key("version", .scalar(.version), required: true, example: "1", "The version of the file format."),
            Key("server", .mapping(.server), "The public listener."),
            Key("admin", .mapping(.admin), "The listener for health checks and metrics, separate from the public one."),
            Key(
                "authorization", .mapping(.authorization),
                "The listener at which other proxies ask whether a request may pass. With it, `upstream` is optional. Default: none."),
            Key(
                "upstream", upstreamTypes, example: "http://127.0.0.1:8080",
                "The upstream of routes without their own: an origin with `http`, `https` or `h2c`, or `unix:/path`; a list of these; or a mapping for more settings."
            ),
            Key("providers", .list(of: providerForms), "Identity providers. Optional only if every route is public."),
            Key(
                "reservedParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[resource]",
                "Authorization parameters that neither providers nor browsers may set, in addition to the built-in ones."),
            Key("session", .mapping(.session), "How long and where sessions are kept."),
            Key(
                "accounts", .mapping(.accounts),
                "Accounts: one user, one id, whatever provider they sign in with. Default: none; the user id is derived from the provider's."
            ),
            Key(
                "secondFactor", .mapping(.secondFactor),
                "Second factors that the gateway keeps itself. Needs `accounts`. Default: none."),
            Key("mail", .mapping(.mail), "The mail server for addresses and passwords. Needs `accounts`."),
            Key("identity", .mapping(.identity), "What the upstream learns about the user."),
            Key(
                "routes", .list(of: .mapping(.route)), fallback: "[]",
                "Rules per host, path and method. The first match wins. Requests without a matching route require sign-in and go to `upstream`."
            ),
            Key(
                "onUnauthenticated", .scalar(.choice(UnauthenticatedPolicy.self)), fallback: "auto",
                "The response to a request without a session: `redirect` to sign-in, `deny` with 401, or `auto`, which redirects page loads and denies other requests."
            ),
            Key(
                "bearer", bearerValue, fallback: "off", example: "{ providers: [oidc.acme] }",
                "Provider tokens that clients may send instead of a session. Applies to every route without its own `bearer`."),
            Key("pages", .mapping(.pages), "The appearance of the gateway's own pages."),
            Key("logging", .mapping(.logging), "What the gateway logs, and in which format."),
            Key("audit", .mapping(.audit), "A separate stream of sign-ins, refusals and changes. Default: none."),
        ] + everywhere

    /// An entry of `providers`. Its `id` selects the form.
    static let providerForms = ValueType.anyOf([.mapping(.passwordProvider), .mapping(.anonymousProvider), .mapping(.provider)])

    static let server: [Key] = [
        Key(
            "listen", .oneOrMany(.listen), fallback: "127.0.0.1:4180", example: "\":4180\"",
            "The address to listen on: `host:port`, `[v6]:port`, `:port` or `unix:/path`, or a list of them."),
        Key(
            "publicURL", .scalar(.publicURL), example: "https://app.example.com",
            "The origin that users open: https, or http on loopback. Required if there is a provider."),
        Key(
            "pathPrefix", .scalar(.pathPrefix), fallback: "/_gateway",
            "The path prefix of the gateway's own pages. The gateway never forwards requests below it."),
        Key(
            "trustedProxies", .list(of: .scalar(.network)), fallback: "[]", example: "[10.0.0.0/8]",
            "Networks of proxies whose `X-Forwarded-*` and `Forwarded` headers the gateway accepts."),
        Key(
            "allowedRedirects", .list(of: .scalar(.origin)), fallback: "[]", example: "[https://www.example.com]",
            "Other origins that the `rd` parameter may redirect to."),
        Key(
            "paths", .scalar(.choice(PathPolicy.self)), fallback: "strict",
            "Which paths the gateway accepts: `strict` rejects encoded slashes, `;` and empty segments, `encoded` accepts them."),
        Key(
            "pathCase", .scalar(.choice(PathCase.self)), fallback: "sensitive", "Whether routes distinguish upper and lower case in paths."),
        Key(
            "proxyProtocol", .scalar(.choice(ProxyProtocolPolicy.self)), fallback: "off",
            "`required`: every connection must start with a PROXY protocol header (version 1 or 2) from one of `trustedProxies`. Others are closed."
        ),
        Key("tls", .mapping(.tls), "Certificate and key. Default: plain HTTP."),
        Key(
            "http2", .scalar(.choice(HTTP2Policy.self)), fallback: "alpn",
            "Whether to support HTTP/2: `alpn` with TLS only, `prior-knowledge` also without TLS, or `off`."),
        Key(
            "hsts", .scalar(.choice(HSTSPolicy.self)), fallback: "host",
            "Whether browsers must use https, for an https `publicURL`: `host` applies to its host for a year, `subdomains` also to all hosts below it, `preload` also allows browsers' built-in lists, `off` sends no header."
        ),
        Key("limits", .mapping(.limits), "Limits per request and per client."),
        Key("timeouts", .mapping(.timeouts), "Time limits."),
    ]

    static let limits: [Key] = [
        Key("headerBytes", .scalar(.size(1024...16 * 1024 * 1024)), fallback: "32KiB", "The maximum size of the request line and headers."),
        Key("headerCount", .scalar(.integer(1...10_000)), fallback: "100", "The maximum number of headers in a request."),
        Key("bodyBytes", .scalar(.size(0...Int.max)), "The maximum size of a request body. Default: no limit."),
        Key("connections", .scalar(.integer(1...10_000_000)), "The maximum number of client connections. Default: no limit."),
        Key(
            "connectionsPerAddress", .scalar(.integer(1...10_000_000)), example: "100",
            "The maximum number of connections per IPv4 address or IPv6 /64 network. `trustedProxies` are exempt. Default: no limit."),
        Key(
            "bodyRate", .scalar(.size(0...1024 * 1024 * 1024)), fallback: "64B",
            "The minimum rate of a request body in bytes per second, measured over `timeouts.rateWindow`. `0B` means no limit."),
    ]

    static let timeouts: [Key] = [
        Key("header", .scalar(.duration(minimum: 1)), fallback: "10s", "The time limit for the headers of a request, from its first byte."),
        Key("idle", .scalar(.duration(minimum: 1)), fallback: "75s", "The time limit for a connection or body without traffic."),
        Key(
            "rateWindow", .scalar(.duration(minimum: 100)), fallback: "20s",
            "The period over which `limits.bodyRate` is measured."),
        Key(
            "upstreamConnect", .scalar(.duration(minimum: 1)), fallback: "5s",
            "The time limit for connecting to an upstream. Also how long a request waits when `maxConnections` is reached."),
        Key("upstreamResponse", .scalar(.duration(minimum: 1)), fallback: "60s", "The time limit for the upstream's response headers."),
        Key("shutdown", .scalar(.duration(minimum: 0)), fallback: "30s", "The time limit for running requests at shutdown."),
        Key(
            "drainDelay", .scalar(.duration(minimum: 0)), fallback: "0s",
            "How long the gateway still accepts connections at shutdown while `/readyz` already fails, so that load balancers notice."
        ),
    ]

    static let admin: [Key] = [
        Key("listen", .oneOrMany(.listen), fallback: "127.0.0.1:9180", "The address of `/livez`, `/readyz` and `/metrics`."),
        Key(
            "token", .scalar(.secret), example: "${file:/run/secrets/admin}",
            "The token of the endpoints that list and end sessions. Without it, these endpoints do not exist."),
        Key(
            "readyRequiresProviders", .scalar(.boolean), fallback: "false",
            "Whether `/readyz` succeeds only after every provider has been reached."),
    ]

    static let authorization: [Key] = [
        Key(
            "listen", .oneOrMany(.listen), required: true, example: "127.0.0.1:4181",
            "The address for questions of other proxies, over HTTP/1.1 or HTTP/2. Do not publish it."),
        Key(
            "peers", .list(of: .scalar(.network)), fallback: "[127.0.0.0/8, \"::1/128\"]", example: "[10.0.0.0/8]",
            "Networks of the proxies that may ask. Others get 403. For a Unix socket, its file permissions decide."),
        Key("tls", .scalar(.boolean), fallback: "false", "Whether to use TLS, with the certificates and settings of `server.tls`."),
    ]

    static let logging: [Key] = [
        Key("level", .scalar(.choice(LoggingConfiguration.Level.self)), fallback: "info", "The minimum level to log."),
        Key(
            "format", .scalar(.choice(LoggingConfiguration.Format.self)), fallback: "auto",
            "`json`, `text`, or `auto`: text on a terminal, otherwise JSON."),
        Key("access", .mapping(.accessLog), "The access log, with one line per request."),
    ]
}
