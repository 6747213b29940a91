import Config
import Diagnostics

extension RuleName {
    static let unspecifiedUpstream = RuleName("unspecified-upstream", .warning)
}

extension Rule {
    static let unspecifiedUpstream = Rule(
        .unspecifiedUpstream, what: "An upstream is `0.0.0.0` or `[::]`, which is not an address that clients can connect to.",
        why: "A server listens on this address to accept connections on every interface. Connecting to it works on some systems only.",
        instead: "Write `127.0.0.1` for an app on the same machine, or the app's host name.",
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
                    .unspecifiedUpstream, at: item.referenceSpan, "`\(host)` is an address to listen on, not to connect to",
                    label: "means every interface", help: "write `127.0.0.1`, or the app's host name")
            }
        })
}
