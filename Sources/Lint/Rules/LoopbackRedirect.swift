import Config
import Diagnostics

extension Rule {
    static let loopbackRedirect = Rule(
        .loopbackRedirect, what: "A gateway that the internet uses may send browsers to loopback after the sign-in.",
        why: "Left over from development: any program on the visitor's machine can listen there.",
        instead: "Remove it from the configuration of the public gateway.",
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
                    .loopbackRedirect, at: item.referenceSpan, "this is on the visitor's own machine", label: "left over from development?",
                    help: "remove it")
            }
        })
}
