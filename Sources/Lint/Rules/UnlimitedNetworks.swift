import Config
import Diagnostics
import Primitives

extension RuleName {
    static let unlimitedNetworks = RuleName("unlimited-networks", .warning)
}

extension Rule {
    static let unlimitedNetworks = Rule(
        .unlimitedNetworks, what: "The `networks` of an access rule cover every address.",
        why: "The condition then limits nothing: every client is in such a network.",
        instead: "List the networks that may have access, or remove `networks`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { networks: [«0.0.0.0/0»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { networks: [10.0.0.0/8] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                let items = rule["networks"]?.list ?? []
                var known: [CIDRBlock] = []
                return items.compactMap { item -> Diagnostic? in
                    guard let block = item.text.flatMap({ CIDRBlock($0) }), !CIDRSet(known).coversEverything else { return nil }
                    known.append(block)
                    guard CIDRSet(known.filter { $0.isIPv4 == block.isIPv4 }).coversEverything else { return nil }
                    known.removeAll { $0.isIPv4 == block.isIPv4 }
                    return Diagnostic(
                        .unlimitedNetworks, at: item.referenceSpan, "the networks cover every IPv\(block.isIPv4 ? 4 : 6) address",
                        label: "limits nothing", help: "list the networks that may have access")
                }
            }
        })
}
