import Config
import Diagnostics

extension RuleName {
    static let upstreamPort = RuleName("upstream-port", .warning)
}

extension Rule {
    static let upstreamPort = Rule(
        .upstreamPort, what: "An upstream has the standard port of the other scheme: `http` with 443, or `https` with 80.",
        why: "A server on port 443 nearly always expects TLS, and one on port 80 never does. Every request would return 502.",
        instead: "Correct the scheme or the port.",
        bad: Example(
            """
            upstream: «http://app.internal.example:443»
            """),
        good: Example(
            """
            upstream: https://app.internal.example
            """),
        check: { context in
            context.upstreamItems.compactMap { item, address in
                guard case .tcp(_, let port) = address.endpoint else { return nil }
                let isTLS = address.scheme == .https
                guard port == (isTLS ? 80 : 443) else { return nil }
                return Diagnostic(
                    .upstreamPort, at: item.referenceSpan, "port \(port) is the standard port of \(isTLS ? "plain `http`" : "`https`")",
                    label: "`\(address.scheme.rawValue)` here", help: "correct the scheme or the port")
            }
        })
}
