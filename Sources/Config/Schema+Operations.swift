extension Schema {
    static let accessLog: [Key] = [
        Key("enabled", .scalar(.boolean), fallback: "true", "Whether each request leaves a line."),
        Key(
            "format", .scalar(.choice(AccessLogConfiguration.Format.self)), fallback: "auto",
            "`json`, `text`, `combined` (as Apache and nginx write it), `ecs` (Elastic Common Schema), or `auto`: as `logging.format`."),
        Key(
            "to", .scalar(.logDestination), fallback: "stdout", example: "/var/log/gateway/access.log",
            "`stdout`, `stderr` or the absolute path of a file, which SIGHUP opens anew."),
        Key(
            "query", .scalar(.choice(AccessLogConfiguration.Query.self)), fallback: "redacted",
            "What is logged of a query: its names without values (`redacted`), all but values whose name tells a secret (`full`), or `none`."
        ),
    ]

    static let audit: [Key] = [
        Key(
            "to", .scalar(.logDestination), fallback: "stdout", example: "/var/log/gateway/audit.log",
            "`stdout`, `stderr` or the absolute path of a file, which SIGHUP opens anew."),
        Key(
            "format", .scalar(.choice(AuditConfiguration.Format.self)), fallback: "json",
            "`json`, or `ocsf`: the Open Cybersecurity Schema Framework."),
        Key(
            "onFailure", .scalar(.choice(AuditConfiguration.FailurePolicy.self)), fallback: "continue",
            "While audit records cannot be written: `continue` serves all requests and counts the lost records; `refuse` answers 503 to sign-ins and on routes that need a session."
        ),
    ]
}
