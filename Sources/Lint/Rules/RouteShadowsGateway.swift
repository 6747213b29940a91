import Config
import Diagnostics

extension Rule {
    static let routeShadowsGateway = Rule(
        .routeShadowsGateway, what: "A route names a path under the gateway's own prefix.",
        why: "The gateway answers there itself and forwards nothing, so the route never applies.",
        instead: "Choose another path, or another `server.pathPrefix` if the app needs this one.",
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
                    .routeShadowsGateway, at: path.referenceSpan, "this path belongs to the gateway", label: "under `\(server.pathPrefix)`",
                    help: "use another path, or set `server.pathPrefix` to one that the app does not need"
                )
            }
        })
}
