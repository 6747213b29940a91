extension Schema {
    /// The forms of `upstream`, at the top level and in a route.
    static let upstreamTypes = ValueType.anyOf([.scalar(.upstream), .list(of: .scalar(.upstream)), .mapping(.upstream)])

    static let upstream: [Key] = [
        Key(
            "targets", .oneOrMany(.upstream), required: true, example: "[http://10.0.0.1:8080, http://10.0.0.2:8080]",
            "The app's addresses, all with the same scheme. Each request goes to the target with the fewest requests in flight."),
        Key("tls", .mapping(.upstreamTLS), "TLS settings for `https` targets. The certificate and its name are always verified."),
        Key("health", .mapping(.health), "Regular health checks of each target. Default: none."),
        Key("ejection", .mapping(.ejection), "When to stop using a failing target, if there are several."),
        Key(
            "maxConnections", .scalar(.integer(1...1_000_000)), example: "200",
            "The maximum number of connections to each target, per process. Further requests wait for `server.timeouts.upstreamConnect`, then get 503. Default: no limit."
        ),
    ]

    static let upstreamTLS: [Key] = [
        Key(
            "authority", .scalar(.path), example: "/etc/tls/internal-ca.pem",
            "The PEM file of the trusted certificate authorities. Default: those of the system."),
        Key(
            "serverName", .scalar(.serverName), example: "app.internal.example",
            "The name that the certificate must contain, also sent as SNI. Default: the host of the target's URL."),
        Key(
            "certificate", .scalar(.path), example: "/etc/tls/client.crt",
            "The PEM file of the client certificate, for targets that require one."),
        Key("key", .scalar(.path), example: "/etc/tls/client.key", "The PEM file of the private key of `certificate`."),
    ]

    static let health: [Key] = [
        Key(
            "path", .scalar(.healthPath), required: true, example: "/healthz",
            "The path to request with GET. Any 2xx response means healthy."),
        Key("interval", .scalar(.duration(minimum: 100)), fallback: "5s", "The time between two checks."),
        Key("timeout", .scalar(.duration(minimum: 100)), fallback: "2s", "The time limit for a response."),
        Key("healthyAfter", .scalar(.integer(1...100)), fallback: "2", "Consecutive successful checks after which a target is used again."),
        Key(
            "unhealthyAfter", .scalar(.integer(1...100)), fallback: "3", "Consecutive failed checks after which a target is no longer used."
        ),
    ]

    static let ejection: [Key] = [
        Key(
            "failures", .scalar(.integer(1...1000)), fallback: "5",
            "Consecutive failed requests after which a target is no longer used."),
        Key(
            "for", .scalar(.duration(minimum: 100)), fallback: "10s",
            "How long the target is not used. After that, one more failure ejects it again."),
    ]
}
