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
            let items = context.server?["trustedProxies"]?.list ?? []
            let networks = items.compactMap { $0.text.flatMap(IPNetwork.init) }
            // `untrusted-everyone` reports the whole list.
            if [true, false].contains(where: { family in AddressCoverage.isComplete(networks.filter { $0.isIPv6 == family }) }) {
                return []
            }
            return items.compactMap { item -> Diagnostic? in
                guard let text = item.text, let network = IPNetwork(text), let slash = text.firstIndex(of: "/"),
                    let address = IPNetwork.address(String(text[..<slash])), address.isIPv6 == network.isIPv6, address.bits != network.first
                else { return nil }
                return Diagnostic(
                    .networkHostBits, at: item.referenceSpan, "this covers the whole network, not only this address",
                    label: "wider than it looks",
                    help: "write `\(text[..<slash])/\(address.isIPv6 ? 128 : 32)` for one address, or the first address of the network")
            }
        })
}
