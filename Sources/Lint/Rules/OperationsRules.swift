import Config
import Diagnostics

extension Rule {
    static let fullQueryLog = Rule(
        .fullQueryLog, what: "The access log shows the values of queries.",
        why:
            "Apps put names, search terms and one-time links into queries. Values whose name tells a secret are still left out, but nobody knows every name.",
        instead: "Use `redacted`, which logs the names of a query's parameters; switch to `full` while you look for a fault.",
        bad: Example("logging: { access: { query: «full» } }\n"),
        good: Example("logging: { access: { query: redacted } }\n"),
        check: { context in
            guard let item = context.root["logging"]?.object?["access"]?.object?["query"], item.text == "full" else { return [] }
            return [
                Diagnostic(
                    .fullQueryLog, at: item.referenceSpan, "the access log shows what people search and click", label: "for a while only",
                    help: "write `redacted`")
            ]
        })

    static let explainedDenials = Rule(
        .explainedDenials, what: "The page of a refusal says which conditions did not hold.",
        why: "It helps while rules are written. Afterwards it tells everybody who is refused what to try next.",
        instead:
            "Leave it off where people from outside come in. The log says the same with the request's id, and so does `gateway trace`.",
        bad: Example("pages: { explainDenials: «true» }\n"),
        good: Example("pages: { explainDenials: false }\n"),
        check: { context in
            guard let item = context.root["pages"]?.object?["explainDenials"], item.boolean == true else { return [] }
            return [
                Diagnostic(
                    .explainedDenials, at: item.referenceSpan, "whoever is refused learns what the rule asks for",
                    label: "for test systems", help: "remove it where strangers come in")
            ]
        })

    static let sharedLogFile = Rule(
        .sharedLogFile, what: "The audit stream goes into the file of the access log.",
        why: "An audit stream is kept longer and read by fewer people. In a file with everything else it is neither.",
        instead: "Give it a file of its own.",
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
                    label: "the access log's, too",
                    help: "write another path")
            ]
        })

    static let longDrainDelay = Rule(
        .longDrainDelay, what: "Stopping takes longer than systemd and Kubernetes usually wait.",
        why:
            "`drainDelay` and `shutdown` come one after the other. Kubernetes kills after `terminationGracePeriodSeconds` (30 by default), systemd after `TimeoutStopSec` (90 seconds): requests in flight are then cut off.",
        instead: "Use a few seconds of `drainDelay`: as long as your load balancer takes to notice that `/readyz` fails.",
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
                    "stopping takes up to \((timeouts.drainDelay + timeouts.shutdown) / 1_000) s",
                    label: "with `shutdown` behind it", help: "use a few seconds")
            ]
        })
}
