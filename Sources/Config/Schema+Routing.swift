/// The keys that say what happens to a request and its answer on the way, beside who may pass.
extension Schema {
    /// Keys of a route. Where one of them also exists for everything, the route's own replaces it.
    static let routing: [Key] = [
        Key(
            "stripPrefix", .scalar(.pathPrefix), example: "/api",
            "A beginning of `path` that the upstream does not see; it is told in `X-Forwarded-Prefix`."),
        Key(
            "rewrite", .scalar(.text), example: "\"/new/{name}\"",
            "The path that the upstream sees: text with the `{name}` of `path`, and `/**` at its end for what `/**` took there."),
        Key("respond", .mapping(.respond), "A fixed answer of the gateway's own, instead of an upstream's."),
        Key("redirect", .mapping(.redirect), "A redirection, instead of an upstream's answer."),
        Key("timeouts", .mapping(.routeTimeouts), "Like `server.timeouts`, for this route."),
        Key("limits", .mapping(.routeLimits), "Like `server.limits`, for this route."),
        Key(
            "upgrades", .list(of: .scalar(.upgradeProtocol)), example: "[websocket]",
            "The protocols that a client may switch to; absent: `[websocket]`. Any other `Upgrade` is dropped and the request goes on without."
        ),
    ]

    /// Keys of a route that exist at the top level too, for every route without its own.
    static let everywhere: [Key] = [
        Key("requestHeaders", .mapping(.requestHeaders), "Header fields of requests to the upstream that are set or removed."),
        Key(
            "responseHeaders", .mapping(.responseHeaders),
            "Header fields that are set or removed in the answers of the upstream, of `respond` and of `redirect`."),
        Key("webSockets", .mapping(.webSockets), "Which pages may open WebSockets."),
        Key(
            "csrf", .scalar(.choice(CSRFPolicy.self)),
            "`origin`: a request that changes something and carries a session must come from a page of this site, or of an origin that `cors` lists; else 403. Absent: `off`."
        ),
        Key("cors", .mapping(.cors), "Which pages of other origins may call this and read the answers."),
    ]

    static let requestHeaders: [Key] = [
        Key(
            "set", .map(of: .scalar(.template), keys: "header names"), example: "{ X-Tenant: acme, X-User-Mail: \"{{ email }}\" }",
            "Names and values; a value may be a template like those of `identity.headers`. What the client sent under the name is removed."),
        Key("remove", .list(of: .scalar(.headerName)), example: "[Authorization]", "Names, in every spelling that apps take for them."),
    ]

    static let responseHeaders: [Key] = [
        Key(
            "set", .map(of: .scalar(.headerValue), keys: "header names"), example: "{ X-Frame-Options: DENY }",
            "Names and values; what the upstream sent under the name is removed."),
        Key("remove", .list(of: .scalar(.headerName)), example: "[Server, X-Powered-By]", "Names, without regard to case."),
    ]

    static let respond: [Key] = [
        Key("status", .scalar(.integer(200...599)), fallback: "200", "The status."),
        Key("body", .scalar(.text), example: "\"User-agent: *\\nDisallow: /\\n\"", "The body; `${file:…}` takes it from a file."),
        Key("contentType", .scalar(.headerValue), fallback: "text/plain; charset=utf-8", "The `Content-Type` of the body."),
    ]

    static let redirect: [Key] = [
        Key(
            "to", .scalar(.text), required: true, example: "\"https://www.example.com/{page}\"",
            "An `https` URL or an absolute path; `{name}` and `/**` at the end as in `rewrite`, in the path only. The request's query goes on."
        ),
        Key("status", .scalar(.words(["301", "302", "303", "307", "308"])), fallback: "302", "The status."),
    ]

    static let routeTimeouts: [Key] = [
        Key("idle", .scalar(.duration(minimum: 1)), example: "10m", "Like `server.timeouts.idle`, for the bodies of this route."),
        Key("upstreamResponse", .scalar(.duration(minimum: 1)), example: "5m", "Until the head of the upstream's response."),
    ]

    static let routeLimits: [Key] = [
        Key("bodyBytes", .scalar(.size(0...Int.max)), example: "1GiB", "The largest request body."),
        Key("bodyRate", .scalar(.size(0...1024 * 1024 * 1024)), example: "0B", "The fewest bytes a second of a request body."),
    ]

    static let webSockets: [Key] = [
        Key(
            "origins", .list(of: .scalar(.origin)), required: true, example: "[https://www.example.com]",
            "Origins of pages that may open them, besides the public URL's and the request's own.")
    ]

    static let cors: [Key] = [
        Key(
            "origins", .list(of: .scalar(.pageOrigin)), required: true, example: "[https://spa.example.com]",
            "Origins of the pages; `*` is every one, with `credentials: false` only."),
        Key(
            "headers", .list(of: .scalar(.headerName)), example: "[Content-Type, X-Requested-With]",
            "Request headers that the pages may send; absent: those that they ask for."),
        Key("exposeHeaders", .list(of: .scalar(.headerName)), example: "[ETag]", "Response headers that the pages may read."),
        Key("credentials", .scalar(.boolean), fallback: "true", "Whether the session cookie goes with their requests."),
        Key("maxAge", .scalar(.duration(minimum: 0)), fallback: "10m", "How long a browser remembers the permission."),
    ]
}
