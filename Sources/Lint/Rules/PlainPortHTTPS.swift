import Primitives
import Config
import Diagnostics

extension RuleName {
    static let plainPortHTTPS = RuleName("plain-port-https", .warning)
}

extension Rule {
    static let plainPortHTTPS = Rule(
        .plainPortHTTPS, what: "`publicURL` uses https and a port on which the gateway listens without TLS.",
        why: "Browsers start a TLS handshake on this port and receive plain http, so no page opens.",
        instead: "Set `publicURL` to the address under which users reach the TLS proxy, usually without a port.",
        bad: Example(
            """
            server: { publicURL: «https://app.example.com:4180», listen: 127.0.0.1:4180 }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, listen: 127.0.0.1:4180 }
            """),
        check: { context in
            guard let item = context.server?["publicURL"], case .origin(let origin) = item.scalar, origin.isSecure, origin.port != 443,
                context.server?["tls"] == nil
            else { return [] }
            let isPlain = context.configuration.server.listen.contains { if case .tcp(_, origin.port) = $0 { true } else { false } }
            guard isPlain else { return [] }
            return [
                Diagnostic(
                    .plainPortHTTPS, at: item.referenceSpan, "the gateway uses plain http on this port", label: "no TLS on this port",
                    help: "write the address of the TLS proxy that users open",
                    related: context.server?["listen"].map { [RelatedPlace("the gateway listens here", at: $0.span)] } ?? [])
            ]
        })
}
