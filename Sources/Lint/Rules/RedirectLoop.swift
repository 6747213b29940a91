import Access
import Config
import Diagnostics

extension Rule {
    static let redirectLoop = Rule(
        .redirectLoop, what: "A route redirects to a path that it matches itself.",
        why: "The browser comes back to the same route until it gives up.",
        instead: "Redirect to a path outside of the route, or to another host.",
        bad: Example(
            """
            routes: [{ path: /app/**, redirect: { to: «/app/start» } }]
            """),
        good: Example(
            """
            routes: [{ path: /app/**, redirect: { to: /start } }]
            """),
        check: { context in
            context.routes.enumerated().compactMap { index, route in
                guard route.configuration.methods.isEmpty || route.configuration.methods.contains("GET"), route.isReadable,
                    let item = route.object["redirect"]?.object?["to"], let text = item.text, text.hasPrefix("/"), !text.hasPrefix("//"),
                    let path = text.split(separator: "?", omittingEmptySubsequences: false).first.map(String.init),
                    let target = try? RoutePattern(path), let pattern = try? RoutePattern(route.configuration.path),
                    (try? RedirectTarget(text, of: pattern)) != nil
                else { return nil }
                var there = RouteConfiguration()
                there.path = target.text
                var here = route.configuration
                here.host = nil
                here.methods = []
                // A route before this one may take the target.
                let earlier = context.routes[..<index].map(\.configuration).filter { $0.host == nil || $0.host == route.configuration.host }
                    .map { configuration in
                        var configuration = configuration
                        configuration.host = nil
                        return configuration
                    }
                let pathCase = context.configuration.server.pathCase
                guard !RouteTable.shadowedRoutes([here, there], pathCase: pathCase).isEmpty,
                    !earlier.contains(where: { !RouteTable.shadowedRoutes([$0, there], pathCase: pathCase).isEmpty })
                else { return nil }
                return Diagnostic(
                    .redirectLoop, at: item.referenceSpan, "this path is one of the route's own", label: "round in circles",
                    help: "redirect to a path that another route takes")
            }
        })
}
