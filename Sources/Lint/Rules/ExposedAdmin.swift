import Config
import Diagnostics

extension RuleName {
    static let exposedAdmin = RuleName("exposed-admin", .warning)
}

extension Rule {
    static let exposedAdmin = Rule(
        .exposedAdmin, what: "The admin listener is on an address that may be reachable from the internet.",
        why:
            "The admin listener does not require sign-in. Its health and metrics pages reveal the names of providers and routes, and the amount of traffic. With `admin.token`, the token crosses the network in clear text.",
        instead: "Listen on loopback, or on an address of the internal network.",
        bad: Example(
            """
            admin: { listen: «203.0.113.7:9180» }
            """),
        good: Example(
            """
            admin: { listen: 127.0.0.1:9180 }
            """),
        check: { context in
            (context.root["admin"]?.object?["listen"]?.oneOrMany ?? []).compactMap { item -> Diagnostic? in
                guard case .address(.tcp(let host, _)) = item.scalar, ListenerAddresses.isPublic(host) else { return nil }
                return Diagnostic(
                    .exposedAdmin, at: item.referenceSpan, "health and metrics may be reachable from the internet",
                    label: "a public address",
                    help: "write `127.0.0.1:9180`, or an address of the internal network")
            }
        })
}
