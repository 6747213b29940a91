import Primitives
import Config
import Diagnostics

extension RuleName {
    static let missingTrustedProxies = RuleName("missing-trusted-proxies", .note)
}

extension Rule {
    static let missingTrustedProxies = Rule(
        .missingTrustedProxies, what: "`publicURL` is https, but the gateway listens without TLS on a network address and trusts no proxy.",
        why:
            "Browsers use https, so a TLS proxy must be in front. The gateway uses the proxy's address as the client address of every request, and ignores the proxy's `X-Forwarded-For`.",
        instead: "Write the TLS proxy's network into `server.trustedProxies`. Write `[]` if clients connect directly.",
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
                    .missingTrustedProxies, at: item.referenceSpan, "every request gets the TLS proxy's address as its client address",
                    label: "plain http behind an https `publicURL`", help: "add `trustedProxies: […]` with the proxy's network")
            }
        })
}
