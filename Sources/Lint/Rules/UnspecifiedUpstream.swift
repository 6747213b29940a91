import Config
import Diagnostics

extension Rule {
    static let unspecifiedUpstream = Rule(
        .unspecifiedUpstream, what: "An upstream is at `0.0.0.0` or `[::]`, which is no address to connect to.",
        why: "It is how a server says that it listens everywhere. Connecting to it works on some systems by accident.",
        instead: "Write `127.0.0.1` for an app on the same machine, or its host name.",
        bad: Example(
            """
            upstream: «http://0.0.0.0:8080»
            """),
        good: Example(
            """
            upstream: http://127.0.0.1:8080
            """),
        check: { context in
            context.upstreamItems.compactMap { item, address in
                guard case .tcp(let host, _) = address.endpoint, ListenerAddresses.isUnspecified(host) else { return nil }
                return Diagnostic(
                    .unspecifiedUpstream, at: item.referenceSpan, "an app listens at `\(host)`, but nothing is reached there",
                    label: "stands for every address", help: "write `127.0.0.1`, or the app's host name")
            }
        })
}
