import Primitives
import Config
import Diagnostics

extension RuleName {
    static let upstreamLoop = RuleName("upstream-loop")
}

extension Rule {
    static let upstreamLoop = Rule(
        .upstreamLoop, what: "An upstream is one of the gateway's own listeners or its public address.",
        why:
            "Every request would return to the gateway until it reaches a limit. If the upstream is the admin listener, users could open the admin pages.",
        instead: "Write the address on which the app listens.",
        bad: Example(
            """
            upstream: «http://localhost:4180»
            """),
        good: Example(
            """
            upstream: http://127.0.0.1:8080
            """),
        check: { context in
            let listeners =
                context.configuration.server.listen + context.configuration.admin.listen
                + (context.configuration.authorization?.listen ?? [])
            let publicURL = context.configuration.server.publicURL
            return context.upstreamItems.compactMap { item, address in
                let isListener = listeners.contains { ListenerAddresses.reaches($0, from: address.endpoint) }
                guard isListener || isPublic(address, publicURL) else { return nil }
                return Diagnostic(
                    .upstreamLoop, at: item.referenceSpan,
                    isListener ? "the gateway itself listens on this address" : "this is the gateway's public address",
                    label: "leads back to the gateway", help: "write the address that the app listens on")
            }
        })

    private static func isPublic(_ upstream: UpstreamAddress, _ publicURL: Origin?) -> Bool {
        guard let publicURL, case .tcp(let host, let port) = upstream.endpoint, !ListenerAddresses.isLoopback(publicURL.host) else {
            return false
        }
        return host == publicURL.host && port == publicURL.port
    }
}
