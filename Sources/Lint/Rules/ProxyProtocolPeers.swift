import Config
import Diagnostics

extension Rule {
    static let proxyProtocolPeers = Rule(
        .proxyProtocolPeers, what: "The PROXY protocol is required and nobody may speak it.",
        why: "Its header names the client, so it is believed from `trustedProxies` only; every other connection is closed.",
        instead: "List the networks of the proxies in front in `trustedProxies`.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, proxyProtocol: «required» }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, proxyProtocol: required, trustedProxies: [10.0.0.0/8] }
            """),
        check: { context in
            guard let server = context.server, let item = server["proxyProtocol"], item.text == "required",
                server.isPlainlyMissing("trustedProxies") || server["trustedProxies"]?.list?.isEmpty == true
            else { return [] }
            // Who can open a local socket is the file system's decision.
            let listensOnNetwork = context.configuration.server.listen.contains { if case .tcp = $0 { true } else { false } }
            guard listensOnNetwork else { return [] }
            return [
                Diagnostic(
                    .proxyProtocolPeers, at: item.referenceSpan, "every connection would be closed", label: "no `trustedProxies`",
                    help: "add `trustedProxies` with the addresses of the proxies in front")
            ]
        })
}
