extension Schema {
    static let accessLog: [Key] = [
        Key("enabled", .scalar(.boolean), fallback: "true", "Whether to log each request."),
        Key(
            "format", .scalar(.choice(AccessLogConfiguration.Format.self)), fallback: "auto",
            "`json`, `text`, `combined` (the format of Apache and nginx), `ecs` (Elastic Common Schema), or `auto` (the format of `logging.format`)."
        ),
        Key(
            "to", .scalar(.logDestination), fallback: "stdout", example: "/var/log/gateway/access.log",
            "`stdout`, `stderr` or the absolute path of a file. SIGHUP reopens the file."),
        Key(
            "query", .scalar(.choice(AccessLogConfiguration.Query.self)), fallback: "redacted",
            "What to log of the query: `redacted` logs parameter names without values, `full` also values except of known secret names, `none` nothing."
        ),
    ]

    static let audit: [Key] = [
        Key(
            "to", .scalar(.logDestination), fallback: "stdout", example: "/var/log/gateway/audit.log",
            "`stdout`, `stderr` or the absolute path of a file. SIGHUP reopens the file."),
        Key(
            "format", .scalar(.choice(AuditConfiguration.Format.self)), fallback: "json",
            "`json`, or `ocsf` (Open Cybersecurity Schema Framework)."),
        Key(
            "onFailure", .scalar(.choice(AuditConfiguration.FailurePolicy.self)), fallback: "continue",
            "What to do while audit records cannot be written. `continue` serves all requests and counts the lost records. `refuse` answers 503 to sign-ins and on routes that need a session."
        ),
    ]
}
