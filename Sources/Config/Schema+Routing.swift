/// The keys for the handling of requests and responses, apart from access rules.
extension Schema {
    /// Keys of a route. A route's key replaces the top-level key of the same name.
    static let routing: [Key] = [
        Key(
            "stripPrefix", .scalar(.pathPrefix), example: "/api",
            "A prefix of `path` to remove before forwarding. The gateway sends it in `X-Forwarded-Prefix`."),
        Key(
            "rewrite", .scalar(.text), example: "\"/new/{name}\"",
            "The path for the upstream: text with the `{name}` captures of `path`. A trailing `/**` inserts what `/**` of `path` matched."),
        Key("respond", .mapping(.respond), "A fixed response from the gateway instead of an upstream."),
        Key("redirect", .mapping(.redirect), "A redirect from the gateway instead of an upstream's response."),
        Key("timeouts", .mapping(.routeTimeouts), "Like `server.timeouts`, for this route."),
        Key("limits", .mapping(.routeLimits), "Like `server.limits`, for this route."),
        Key(
            "upgrades", .list(of: .scalar(.upgradeProtocol)), example: "[websocket]",
            "The protocols that a client may upgrade to. Default: `[websocket]`. For others, the gateway drops `Upgrade` and forwards the request."
        ),
    ]

    /// Keys of a route that also exist at the top level, as the default for every route.
    static let everywhere: [Key] = [
        Key("requestHeaders", .mapping(.requestHeaders), "Headers to set or remove in requests to the upstream."),
        Key(
            "responseHeaders", .mapping(.responseHeaders),
            "Headers to set or remove in responses of the upstream, of `respond` and of `redirect`."),
        Key("webSockets", .mapping(.webSockets), "The pages that may open WebSockets."),
        Key(
            "csrf", .scalar(.choice(CSRFPolicy.self)),
            "`origin` rejects state-changing requests with a session (403) unless they come from this site or from an origin in `cors`. Default: `off`."
        ),
        Key("cors", .mapping(.cors), "Pages of other origins that may call this route and read the responses."),
    ]

    static let requestHeaders: [Key] = [
        Key(
            "set", .map(of: .scalar(.template), keys: "header names"), example: "{ X-Tenant: acme, X-User-Mail: \"{{ email }}\" }",
            "Header names and values. A value may be a template as in `identity.headers`. The client's headers of the same name are removed."
        ),
        Key(
            "remove", .list(of: .scalar(.headerName)), example: "[Authorization]",
            "Header names. All spellings that apps treat as equal are removed."),
    ]

    static let responseHeaders: [Key] = [
        Key(
            "set", .map(of: .scalar(.headerValue), keys: "header names"), example: "{ X-Frame-Options: DENY }",
            "Header names and values. The upstream's headers of the same name are removed."),
        Key("remove", .list(of: .scalar(.headerName)), example: "[Server, X-Powered-By]", "Header names, compared without case."),
    ]

    static let respond: [Key] = [
        Key("status", .scalar(.integer(200...599)), fallback: "200", "The status code."),
        Key("body", .scalar(.text), example: "\"User-agent: *\\nDisallow: /\\n\"", "The body. `${file:…}` reads it from a file."),
        Key("contentType", .scalar(.headerValue), fallback: "text/plain; charset=utf-8", "The `Content-Type` of the body."),
    ]

    static let redirect: [Key] = [
        Key(
            "to", .scalar(.text), required: true, example: "\"https://www.example.com/{page}\"",
            "An `https` URL or an absolute path. Its path may use `{name}` and a trailing `/**` as in `rewrite`. The request's query is kept."
        ),
        Key("status", .scalar(.words(["301", "302", "303", "307", "308"])), fallback: "302", "The status code."),
    ]

    static let routeTimeouts: [Key] = [
        Key("idle", .scalar(.duration(minimum: 1)), example: "10m", "Like `server.timeouts.idle`, for the bodies of this route."),
        Key("upstreamResponse", .scalar(.duration(minimum: 1)), example: "5m", "The time limit for the upstream's response headers."),
    ]

    static let routeLimits: [Key] = [
        Key("bodyBytes", .scalar(.size(0...Int.max)), example: "1GiB", "The maximum size of a request body."),
        Key("bodyRate", .scalar(.size(0...1024 * 1024 * 1024)), example: "0B", "The minimum rate of a request body in bytes per second."),
    ]

    static let webSockets: [Key] = [
        Key(
            "origins", .list(of: .scalar(.origin)), required: true, example: "[https://www.example.com]",
            "Origins of pages that may open WebSockets. The origins of `publicURL` and of the request itself are always allowed.")
    ]

    static let cors: [Key] = [
        Key(
            "origins", .list(of: .scalar(.pageOrigin)), required: true, example: "[https://spa.example.com]",
            "Origins of the pages. `*` means every origin and needs `credentials: false`."),
        Key(
            "headers", .list(of: .scalar(.headerName)), example: "[Content-Type, X-Requested-With]",
            "Request headers that the pages may send. Default: the headers that they ask for."),
        Key("exposeHeaders", .list(of: .scalar(.headerName)), example: "[ETag]", "Response headers that the pages may read."),
        Key("credentials", .scalar(.boolean), fallback: "true", "Whether browsers send the session cookie with these requests."),
        Key("maxAge", .scalar(.duration(minimum: 0)), fallback: "10m", "How long browsers cache the permission."),
    ]
}
