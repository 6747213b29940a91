import Config
import Diagnostics
import HTTPWire

extension Rule {
    static let upgradeProtocol = Rule(
        .upgradeProtocol, what: "`upgrades` lists another version of HTTP, or TLS.",
        why: "The gateway cannot check requests inside such a tunnel, so users could bypass every rule.",
        instead: "Remove it. To serve HTTP/2 clients, use `server.http2`.",
        bad: Example(
            """
            routes: [{ path: /ws/**, upgrades: [websocket, «h2c»] }]
            """),
        good: Example(
            """
            routes: [{ path: /ws/**, upgrades: [websocket] }]
            """),
        check: { context in
            context.routes.flatMap { route in
                (route.object["upgrades"]?.list ?? []).compactMap { item in
                    guard let name = item.text, UpgradeProtocol.isForbidden(name) else { return nil }
                    return Diagnostic(
                        .upgradeProtocol, at: item.referenceSpan, "requests inside `\(name)` would bypass the access rules",
                        label: "never forwarded",
                        help: "remove it")
                }
            }
        })
}
