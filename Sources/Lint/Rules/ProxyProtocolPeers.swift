import Config
import Diagnostics

extension RuleName {
    static let proxyProtocolPeers = RuleName("proxy-protocol-peers")
}

extension Rule {
    static let proxyProtocolPeers = Rule(
        .proxyProtocolPeers, what: "The PROXY protocol is required, but no proxy is trusted.",
        why:
            "The PROXY protocol header contains the client's address, so the gateway accepts it from `trustedProxies` only. The gateway closes every other connection.",
        instead: "List the networks of your proxies in `trustedProxies`.",
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
            // For a Unix socket, file permissions decide who can connect.
            let listensOnNetwork = context.configuration.server.listen.contains { if case .tcp = $0 { true } else { false } }
            guard listensOnNetwork else { return [] }
            return [
                Diagnostic(
                    .proxyProtocolPeers, at: item.referenceSpan, "the gateway would close every connection", label: "no `trustedProxies`",
                    help: "add `trustedProxies` with the addresses of your proxies")
            ]
        })
}
