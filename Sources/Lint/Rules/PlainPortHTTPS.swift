import Config
import Diagnostics

extension Rule {
    static let plainPortHTTPS = Rule(
        .plainPortHTTPS, what: "`publicURL` is https at the port at which the gateway itself speaks plain http.",
        why: "Browsers start TLS there and get an answer that is none: no page opens.",
        instead: "Write the address that browsers use at the TLS proxy, mostly without a port.",
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
                    .plainPortHTTPS, at: item.referenceSpan, "at this port the gateway speaks plain http", label: "no TLS here",
                    help: "write the address of the TLS proxy that browsers use",
                    related: context.server?["listen"].map { [RelatedPlace("the gateway listens here", at: $0.span)] } ?? [])
            ]
        })
}
