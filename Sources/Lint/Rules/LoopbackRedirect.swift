import Primitives
import Config
import Diagnostics

extension RuleName {
    static let loopbackRedirect = RuleName("loopback-redirect", .warning)
}

extension Rule {
    static let loopbackRedirect = Rule(
        .loopbackRedirect, what: "A public gateway may redirect browsers to loopback after sign-in.",
        why: "The entry is often left over from development. Any program on the user's machine can listen on loopback.",
        instead: "Remove the entry from `allowedRedirects`.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, allowedRedirects: [«http://localhost:3000»] }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, allowedRedirects: [https://www.example.com] }
            """),
        check: { context in
            guard let publicURL = context.configuration.server.publicURL, !ListenerAddresses.isLoopback(publicURL.host) else { return [] }
            return (context.server?["allowedRedirects"]?.list ?? []).compactMap { item in
                guard case .origin(let origin) = item.scalar, ListenerAddresses.isLoopback(origin.host) else { return nil }
                return Diagnostic(
                    .loopbackRedirect, at: item.referenceSpan, "this address is on the user's own machine",
                    label: "left over from development?",
                    help: "remove it")
            }
        })
}
