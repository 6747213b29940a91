import Primitives
import Config
import Diagnostics

extension RuleName {
    static let networkHostBits = RuleName("network-host-bits", .warning)
}

extension Rule {
    static let networkHostBits = Rule(
        .networkHostBits, what: "A network is not written with its first address, like `10.1.2.3/8`.",
        why: "`10.1.2.3/8` covers all of `10.0.0.0/8`. Often, only the single address was intended.",
        instead: "Write `/32` (IPv6: `/128`) for one address, or the first address of the network.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, trustedProxies: [«10.1.2.3/8»] }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, trustedProxies: [10.1.2.3/32, 10.2.0.0/16] }
            """),
        check: { context in
            let lists =
                [context.server?["trustedProxies"], context.root["authorization"]?.object?["peers"]].map { $0?.list ?? [] }
                + context.accessRules.map { $0.object["networks"]?.list ?? [] }
            return lists.flatMap(findings)
        })

    private static func findings(_ items: [Item]) -> [Diagnostic] {
        let networks = items.compactMap { $0.text.flatMap { CIDRBlock($0) } }
        // `untrusted-everyone` and `unlimited-networks` report the whole list.
        if CIDRSet(networks).coversEverything { return [] }
        return items.compactMap { item -> Diagnostic? in
            guard let text = item.text, let network = CIDRBlock(text), let slash = text.firstIndex(of: "/"),
                let address = NetworkAddress(String(text[..<slash])), address != network.lowest
            else { return nil }
            let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
            // A mapped address is IPv4 and written as IPv6.
            if isIPv6 == address.isIPv4 { return nil }
            return Diagnostic(
                .networkHostBits, at: item.referenceSpan, "this covers the whole network, not only this address",
                label: "wider than it looks",
                help: "write `\(text[..<slash])/\(isIPv6 ? 128 : 32)` for one address, or the first address of the network")
        }
    }
}
