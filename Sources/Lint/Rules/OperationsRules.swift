import Config
import Diagnostics

extension RuleName {
    static let fullQueryLog = RuleName("full-query-log", .warning)
    static let explainedDenials = RuleName("explained-denials", .warning)
    static let sharedLogFile = RuleName("shared-log-file", .warning)
    static let longDrainDelay = RuleName("long-drain-delay", .warning)
}

extension Rule {
    static let fullQueryLog = Rule(
        .fullQueryLog, what: "The access log contains the values of query parameters.",
        why:
            "Queries often contain names, search terms and one-time links. The gateway still masks parameters with known secret names, but it cannot know every such name.",
        instead: "Use `redacted`, which logs parameter names only. Switch to `full` only while you debug.",
        bad: Example("logging: { access: { query: «full» } }\n"),
        good: Example("logging: { access: { query: redacted } }\n"),
        check: { context in
            guard let item = context.root["logging"]?.object?["access"]?.object?["query"], item.text == "full" else { return [] }
            return [
                Diagnostic(
                    .fullQueryLog, at: item.referenceSpan, "the access log contains the values of query parameters",
                    label: "for debugging only",
                    help: "write `redacted`")
            ]
        })

    static let explainedDenials = Rule(
        .explainedDenials, what: "The 403 page shows which conditions of the rule failed.",
        why: "This helps while you write rules. In production, it shows every rejected user what to try next.",
        instead:
            "Set `explainDenials: false` if external users have access. The log shows the same details under the request's id, and so does `gateway trace`.",
        bad: Example("pages: { explainDenials: «true» }\n"),
        good: Example("pages: { explainDenials: false }\n"),
        check: { context in
            guard let item = context.root["pages"]?.object?["explainDenials"], item.boolean == true else { return [] }
            return [
                Diagnostic(
                    .explainedDenials, at: item.referenceSpan, "refused users see which conditions failed",
                    label: "for test systems", help: "remove it if external users have access")
            ]
        })

    static let sharedLogFile = Rule(
        .sharedLogFile, what: "The audit stream and the access log use the same file.",
        why:
            "An audit stream is usually kept longer and read by fewer people than an access log. A single file has one retention period and one set of permissions.",
        instead: "Write the audit stream to a separate file.",
        bad: Example(
            """
            logging: { access: { to: /var/log/gateway.log } }
            audit: { to: «/var/log/gateway.log» }

            """),
        good: Example(
            """
            logging: { access: { to: /var/log/gateway.log } }
            audit: { to: /var/log/gateway-audit.log }

            """),
        check: { context in
            guard let item = context.root["audit"]?.object?["to"], let text = item.text, text.hasPrefix("/"),
                context.configuration.logging.access.isEnabled, case .file(text) = context.configuration.logging.access.to
            else { return [] }
            return [
                Diagnostic(
                    .sharedLogFile, at: item.referenceSpan, "the audit stream and the access log share a file",
                    label: "also the access log's file",
                    help: "write another path")
            ]
        })

    static let longDrainDelay = Rule(
        .longDrainDelay, what: "With this `drainDelay`, shutdown can take longer than 90 s.",
        why:
            "`drainDelay` and `shutdown` add up. After 90 s, systemd kills the process by default (`TimeoutStopSec`), and open requests fail. Kubernetes waits only 30 s by default (`terminationGracePeriodSeconds`), which this rule does not check.",
        instead:
            "Set `drainDelay` to the few seconds that your load balancer needs to notice that `/readyz` fails. In Kubernetes, set `terminationGracePeriodSeconds` above the sum of both timeouts.",
        bad: Example("server: { publicURL: https://app.example.com, timeouts: { drainDelay: «5m» } }\n"),
        good: Example("server: { publicURL: https://app.example.com, timeouts: { drainDelay: 5s } }\n"),
        check: { context in
            let timeouts = context.configuration.server.timeouts
            guard let item = context.server?["timeouts"]?.object?["drainDelay"], item.milliseconds != nil,
                timeouts.drainDelay + timeouts.shutdown > 90_000
            else { return [] }
            return [
                Diagnostic(
                    .longDrainDelay, at: item.referenceSpan,
                    "shutdown takes up to \((timeouts.drainDelay + timeouts.shutdown) / 1_000) s",
                    label: "added to `shutdown`", help: "use a few seconds")
            ]
        })
}
