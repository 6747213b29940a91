import Config
import Diagnostics
import HTTPWire

extension Rule {
    static let upgradeProtocol = Rule(
        .upgradeProtocol, what: "`upgrades` lists another version of HTTP, or TLS.",
        why: "What comes through such a tunnel are requests that the gateway has not looked at: anybody could ask for anything.",
        instead: "Remove it. HTTP/2 clients are served with `server.http2`.",
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
                        .upgradeProtocol, at: item.referenceSpan, "`\(name)` would carry requests past the rules", label: "never passed on",
                        help: "remove it")
                }
            }
        })
}
