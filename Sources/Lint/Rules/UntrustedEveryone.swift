import Primitives
import Config
import Diagnostics

extension RuleName {
    static let untrustedEveryone = RuleName("untrusted-everyone")
}

extension Rule {
    static let untrustedEveryone = Rule(
        .untrustedEveryone, what: "`trustedProxies` covers every address, with one network or with several combined.",
        why: "Any client can then set its own address, host and scheme with `X-Forwarded-*` headers.",
        instead: "List only the networks of your proxies.",
        bad: Example("server: { publicURL: https://app.example.com, trustedProxies: [0.0.0.0/1, «128.0.0.0/1»] }\n"),
        good: Example("server: { publicURL: https://app.example.com, trustedProxies: [10.0.0.0/8] }\n"),
        check: { context in
            var ranges: [Bool: [CIDRBlock]] = [:]
            var found: [Diagnostic] = []
            for item in context.server?["trustedProxies"]?.list ?? [] {
                guard let network = item.text.flatMap({ CIDRBlock($0) }) else { continue }
                let before = ranges[network.isIPv4, default: []]
                if CIDRSet(before).coversEverything { continue }
                ranges[network.isIPv4, default: []].append(network)
                guard CIDRSet(before + [network]).coversEverything else { continue }
                found.append(
                    Diagnostic(
                        .untrustedEveryone, at: item.referenceSpan,
                        before.isEmpty || CIDRSet([network]).coversEverything
                            ? "this range covers every IPv\(network.isIPv4 ? 4 : 6) address"
                            : "with this range every IPv\(network.isIPv4 ? 4 : 6) address is trusted",
                        label: "everyone is trusted", help: "list only the networks of your proxies"))
            }
            return found
        })
}
