import Config
import Diagnostics
import YAML

extension RuleName {
    static let hostPort = RuleName("host-port", .warning)
}

extension Rule {
    static let hostPort = Rule(
        .hostPort, what: "A route's `host` contains a port.",
        why: "Hosts are compared without their port, so the route also matches requests to every other port.",
        instead: "Remove the port. To route two ports differently, give each port its own host name.",
        bad: Example(
            """
            routes: [{ host: «"app.example.com:8443"», path: /**, access: { groups: [staff] } }]
            """),
        good: Example(
            """
            routes: [{ host: app.example.com, path: /**, access: { groups: [staff] } }]
            """),
        check: { context in
            context.routes.compactMap { route in
                guard let item = route.object["host"], let text = item.text, let colon = text.lastIndex(of: ":"), !text.hasSuffix("]")
                else { return nil }
                let bare = String(text[..<colon])
                let canFix = item.expanded?.isLiteral == true && item.node.anchor == nil && item.node.scalar?.style != .block
                let quoted = bare.hasPrefix("[") || bare.hasPrefix("*") ? "\"\(bare)\"" : bare
                return Diagnostic(
                    .hostPort, at: item.referenceSpan, "the port of `host` is not compared", label: "matches every port",
                    help: "write `\(bare)`",
                    fix: canFix ? Fix(safe: true, [.init(replacing: item.span, with: quoted)]) : nil)
            }
        })
}
