extension Schema {
    /// Where `upstream` stands, at the top and on a route.
    static let upstreamTypes = ValueType.anyOf([.scalar(.upstream), .list(of: .scalar(.upstream)), .mapping(.upstream)])

    static let upstream: [Key] = [
        Key(
            "targets", .oneOrMany(.upstream), required: true, example: "[http://10.0.0.1:8080, http://10.0.0.2:8080]",
            "The app's addresses, all of one scheme; each request goes to the one with the fewest requests in flight."),
        Key("tls", .mapping(.upstreamTLS), "How `https` targets are recognised. Their certificate and its name are always checked."),
        Key("health", .mapping(.health), "Asks each target regularly whether it works; absent: nobody asks."),
        Key("ejection", .mapping(.ejection), "When a target among several is left out because requests to it fail."),
        Key(
            "maxConnections", .scalar(.integer(1...1_000_000)), example: "200",
            "Connections to each target at once, of the whole process. Further requests wait for `server.timeouts.upstreamConnect`, then get a 503. Absent: no limit."
        ),
    ]

    static let upstreamTLS: [Key] = [
        Key(
            "authority", .scalar(.path), example: "/etc/tls/internal-ca.pem",
            "PEM file with the certificate authorities to believe; absent: those of the system."),
        Key(
            "serverName", .scalar(.serverName), example: "app.internal.example",
            "The name that the certificate must carry, and that is asked for (SNI); absent: the host of the target's URL."),
        Key(
            "certificate", .scalar(.path), example: "/etc/tls/client.crt",
            "PEM file with a certificate to show, for targets that ask for one."),
        Key("key", .scalar(.path), example: "/etc/tls/client.key", "PEM file with the private key of `certificate`."),
    ]

    static let health: [Key] = [
        Key("path", .scalar(.healthPath), required: true, example: "/healthz", "What is asked for with GET; any 2xx means healthy."),
        Key("interval", .scalar(.duration(minimum: 100)), fallback: "5s", "From one question to the next."),
        Key("timeout", .scalar(.duration(minimum: 100)), fallback: "2s", "An answer later than this counts as none."),
        Key("healthyAfter", .scalar(.integer(1...100)), fallback: "2", "Good answers in a row that bring a target back."),
        Key("unhealthyAfter", .scalar(.integer(1...100)), fallback: "3", "Bad answers in a row that take a target out."),
    ]

    static let ejection: [Key] = [
        Key(
            "failures", .scalar(.integer(1...1000)), fallback: "5",
            "Requests in a row that a target gave no usable answer to, after which it is left out."),
        Key("for", .scalar(.duration(minimum: 100)), fallback: "10s", "For how long; then one further failure leaves it out again."),
    ]
}
