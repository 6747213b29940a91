import Config
import Diagnostics

extension RuleName {
    static let routeShadowsGateway = RuleName("route-shadows-gateway")
}

extension Rule {
    static let routeShadowsGateway = Rule(
        .routeShadowsGateway, what: "A route's path is below the gateway's own prefix.",
        why: "The gateway answers these requests itself, so the route never applies.",
        instead: "Use another path. If the app needs this path, change `server.pathPrefix`.",
        bad: Example(
            """
            routes:
              - path: «/_gateway/login»
                access: public
            """),
        good: Example(
            """
            routes:
              - path: /login
                access: public
            """),
        check: { context in
            let server = context.configuration.server
            if context.server?["pathPrefix"]?.isUnreadable ?? false { return [] }
            return context.routes.compactMap { route in
                guard let path = route.object["path"], let text = path.text,
                    RouteReach.liesWithin(text, prefix: server.pathPrefix, pathCase: server.pathCase)
                else { return nil }
                return Diagnostic(
                    .routeShadowsGateway, at: path.referenceSpan, "the gateway answers requests to this path itself",
                    label: "below `\(server.pathPrefix)`",
                    help: "use another path, or change `server.pathPrefix` to a path that the app does not need"
                )
            }
        })
}
