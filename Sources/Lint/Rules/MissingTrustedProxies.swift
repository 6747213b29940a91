import Config
import Diagnostics

extension Rule {
    static let missingTrustedProxies = Rule(
        .missingTrustedProxies, what: "The gateway listens in clear text beyond loopback for an https `publicURL`, and trusts no proxy.",
        why:
            "Something in front must speak TLS. Its address is then taken for every client's, and the `X-Forwarded-For` that it sends is dropped.",
        instead: "Write the network of the TLS proxy into `server.trustedProxies`, or `[]` if clients do come directly.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, listen: «":4180"» }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, listen: ":4180", trustedProxies: [10.0.0.0/8] }
            """),
        check: { context in
            guard let server = context.server, server.isPlainlyMissing("trustedProxies"), server["tls"] == nil,
                context.configuration.server.publicURL?.isSecure == true
            else { return [] }
            return (server["listen"]?.oneOrMany ?? []).filter { item in
                if case .address(.tcp(let host, _)) = item.scalar { !ListenerAddresses.isLoopback(host) } else { false }
            }.prefix(1).map { item in
                Diagnostic(
                    .missingTrustedProxies, at: item.referenceSpan, "the address of the TLS proxy in front is taken for every client's",
                    label: "plain http for an https site", help: "add `trustedProxies: […]` with the proxy's network")
            }
        })
}
