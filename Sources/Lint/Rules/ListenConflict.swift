import Config
import Diagnostics

extension RuleName {
    static let listenConflict = RuleName("listen-conflict")
}

extension Rule {
    static let listenConflict = Rule(
        .listenConflict, what: "Two listeners use the same address, or use the same port and one of them listens on every address.",
        why: "The gateway cannot open the second listener, so it does not start.",
        instead: "Give each listener a different port.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, listen: 127.0.0.1:4180 }
            admin: { listen: «127.0.0.1:4180» }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, listen: 127.0.0.1:4180 }
            admin: { listen: 127.0.0.1:9180 }
            """),
        check: { context in
            // Addresses conflict on one port or path only.
            var earlier: [String: [(address: ListenAddress, item: Item)]] = [:]
            var findings: [Diagnostic] = []
            let sections = [context.server, context.root["admin"]?.object, context.root["authorization"]?.object]
            for item in sections.flatMap({ $0?["listen"]?.oneOrMany ?? [] }) {
                guard case .address(let address) = item.scalar else { continue }
                let place =
                    switch address {
                    case .tcp(_, let port): String(port)
                    case .unix(let path): path
                    }
                if let other = earlier[place]?.first(where: { ListenerAddresses.conflict($0.address, address) }) {
                    findings.append(
                        Diagnostic(
                            .listenConflict, at: item.referenceSpan, "another listener already uses this address",
                            label: "cannot be bound twice",
                            help: "use another port", related: [RelatedPlace("the other listener", at: other.item.referenceSpan)]))
                }
                earlier[place, default: []].append((address, item))
            }
            return findings
        })
}
