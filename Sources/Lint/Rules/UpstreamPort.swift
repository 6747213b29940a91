import Config
import Diagnostics

extension Rule {
    static let upstreamPort = Rule(
        .upstreamPort, what: "An upstream's port is the standard one of another scheme: `http` at 443, `https` at 80.",
        why: "Behind 443 nearly always stands TLS and behind 80 none, so that every request would be answered with 502.",
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
                    .upstreamPort, at: item.referenceSpan, "port \(port) is that of \(isTLS ? "plain `http`" : "`https`")",
                    label: "`\(address.scheme.rawValue)` here", help: "correct the scheme or the port")
            }
        })
}
