import Config
import Diagnostics
import Providers

extension RuleName {
    static let upstreamUnreachable = RuleName("upstream-unreachable", .warning)
}

extension Rule {
    static let upstreamUnreachable = Rule(
        .upstreamUnreachable, what: "With `--online`: the gateway cannot connect to an upstream, or the upstream's certificate is invalid.",
        why: "Every request to the upstream would return 502.",
        instead: "Start the app, or correct the address. Inside a container, `127.0.0.1` is the container itself.",
        bad: Example(
            """
            upstream: «http://127.0.0.1:8080»
            """),
        badAnswers: OnlineExample { $0.unreachableUpstream = "connection refused" },
        good: Example(
            """
            upstream: http://127.0.0.1:8080
            """),
        online: { context in
            context.lint.upstreams.flatMap { upstream in
                zip(upstream.targets, upstream.online).compactMap { target, online in
                    guard let reason = context.answers.unreachableUpstreams[online] else { return nil }
                    return Diagnostic(
                        .upstreamUnreachable, at: target.item.referenceSpan, "cannot connect to this upstream: \(reason)",
                        label: "requests get 502",
                        help: reason.contains("certificate")
                            ? "correct the certificate, or configure `upstream.tls`; verification cannot be turned off"
                            : "start the app, or correct the address")
                }
            }
        })
}
