extension Schema {
    static let root: [Key] =
        [
            Key("version", .scalar(.version), required: true, example: "1", "The version of this file's format."),
            Key("server", .mapping(.server), "The public listener."),
            Key("admin", .mapping(.admin), "The listener for health and metrics; never the public one."),
            Key(
                "upstream", upstreamTypes, example: "http://127.0.0.1:8080",
                "Where routes without an upstream of their own go: `http`, `https` or `h2c` and an origin, or `unix:/path`; a list of them, or a mapping for more."
            ),
            Key("providers", .list(of: .mapping(.provider)), "Who signs people in. May be absent only if every route is public."),
            Key(
                "reservedParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[resource]",
                "Authorization parameters that nobody may set, besides the built-in set."),
            Key("session", .mapping(.session), "How a signed-in browser is remembered."),
            Key("identity", .mapping(.identity), "What the upstream learns about the person."),
            Key(
                "routes", .list(of: .mapping(.route)), fallback: "[]",
                "What each path asks for; the first match wins. What no route matches goes to `upstream` and asks for a sign-in."),
            Key(
                "onUnauthenticated", .scalar(.choice(UnauthenticatedPolicy.self)), fallback: "auto",
                "The answer to a request without a session: `redirect` to the sign-in, `deny` with 401, or `auto`: redirect a browser's navigation, deny the rest."
            ),
            Key(
                "bearer", bearerValue, fallback: "off", example: "{ providers: [oidc.acme] }",
                "Tokens of providers that programs send instead of a session, on every route that does not say otherwise."),
            Key("pages", .mapping(.pages), "What the gateway's own pages look like."),
            Key("logging", .mapping(.logging), "What is logged, and how."),
            Key("audit", .mapping(.audit), "A stream of sign-ins, refusals and changes, apart from the log; absent: none."),
        ] + everywhere

    static let server: [Key] = [
        Key(
            "listen", .oneOrMany(.listen), fallback: "127.0.0.1:4180", example: "\":4180\"",
            "Where the gateway listens: `host:port`, `[v6]:port`, `:port` or `unix:/path`, or a list of them."),
        Key(
            "publicURL", .scalar(.publicURL), example: "https://app.example.com",
            "The origin that browsers use: https, or http on loopback. Required as soon as there is a provider."),
        Key(
            "pathPrefix", .scalar(.pathPrefix), fallback: "/_gateway",
            "The path under which the gateway's own pages live; never forwarded."),
        Key(
            "trustedProxies", .list(of: .scalar(.network)), fallback: "[]", example: "[10.0.0.0/8]",
            "Networks whose `X-Forwarded-*` and `Forwarded` headers are believed."),
        Key(
            "allowedRedirects", .list(of: .scalar(.origin)), fallback: "[]", example: "[https://www.example.com]",
            "Further origins that `rd` may name."),
        Key(
            "paths", .scalar(.choice(PathPolicy.self)), fallback: "strict",
            "Which paths are accepted: `strict` refuses encoded slashes, `;` and empty segments, `encoded` lets them through."),
        Key("pathCase", .scalar(.choice(PathCase.self)), fallback: "sensitive", "Whether routes match paths with or without case."),
        Key(
            "proxyProtocol", .scalar(.choice(ProxyProtocolPolicy.self)), fallback: "off",
            "`required`: every connection begins with a PROXY protocol header, version 1 or 2, of one of `trustedProxies`; others are closed."
        ),
        Key("tls", .mapping(.tls), "Certificate and key; absent: plain HTTP."),
        Key(
            "http2", .scalar(.choice(HTTP2Policy.self)), fallback: "alpn",
            "Whether HTTP/2 is spoken: offered by ALPN under TLS, also in clear text to clients that begin with it, or not."),
        Key(
            "hsts", .scalar(.choice(HSTSPolicy.self)), fallback: "host",
            "Whether browsers are told to come by https only, for an https `publicURL`: `host` for its host for a year, `subdomains` with all hosts below it, `preload` for browsers' built-in lists too, or `off`."
        ),
        Key("limits", .mapping(.limits), "How much one request or client may take."),
        Key("timeouts", .mapping(.timeouts), "How long things may take."),
    ]

    static let limits: [Key] = [
        Key("headerBytes", .scalar(.size(1024...16 * 1024 * 1024)), fallback: "32KiB", "The largest request head."),
        Key("headerCount", .scalar(.integer(1...10_000)), fallback: "100", "The most header fields of one request."),
        Key("bodyBytes", .scalar(.size(0...Int.max)), "The largest request body; absent: no limit."),
        Key("connections", .scalar(.integer(1...10_000_000)), "The most client connections at once; absent: no limit."),
        Key(
            "connectionsPerAddress", .scalar(.integer(1...10_000_000)), example: "100",
            "The most connections of one IPv4 address, or one IPv6 /64, at once; `trustedProxies` are exempt. Absent: no limit."),
        Key(
            "bodyRate", .scalar(.size(0...1024 * 1024 * 1024)), fallback: "64B",
            "The fewest bytes a second of a request body that the gateway waits for, over `timeouts.rateWindow`; `0B`: no such limit."),
    ]

    static let timeouts: [Key] = [
        Key("header", .scalar(.duration(minimum: 1)), fallback: "10s", "From the first byte of a request to the end of its head."),
        Key("idle", .scalar(.duration(minimum: 1)), fallback: "75s", "A connection, or a body, on which nothing moves."),
        Key(
            "rateWindow", .scalar(.duration(minimum: 100)), fallback: "20s",
            "The time over which `limits.bodyRate` is measured, again and again."),
        Key(
            "upstreamConnect", .scalar(.duration(minimum: 1)), fallback: "5s",
            "Until an upstream accepts the connection; also how long a request waits when `maxConnections` is reached."),
        Key("upstreamResponse", .scalar(.duration(minimum: 1)), fallback: "60s", "Until the head of the upstream's response."),
        Key("shutdown", .scalar(.duration(minimum: 0)), fallback: "30s", "For requests that are running when the gateway is stopped."),
        Key(
            "drainDelay", .scalar(.duration(minimum: 0)), fallback: "0s",
            "How long a gateway that is being stopped goes on accepting connections while `/readyz` already fails: time for a load balancer to notice."
        ),
    ]

    static let admin: [Key] = [
        Key("listen", .oneOrMany(.listen), fallback: "127.0.0.1:9180", "Where `/livez`, `/readyz` and `/metrics` answer."),
        Key(
            "readyRequiresProviders", .scalar(.boolean), fallback: "false",
            "Whether `/readyz` waits until every provider has been reached."),
    ]

    static let logging: [Key] = [
        Key("level", .scalar(.choice(LoggingConfiguration.Level.self)), fallback: "info", "The least severe level that is logged."),
        Key(
            "format", .scalar(.choice(LoggingConfiguration.Format.self)), fallback: "auto",
            "`json`, `text`, or `auto`: text on a terminal, else JSON."),
        Key("access", .mapping(.accessLog), "The access log: a line for each request."),
    ]
}
