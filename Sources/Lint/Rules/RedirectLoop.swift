import Access
import Config
import Diagnostics

extension RuleName {
    static let redirectLoop = RuleName("redirect-loop")
}

extension Rule {
    static let redirectLoop = Rule(
        .redirectLoop, what: "A route redirects to a path that the same route matches.",
        why: "The browser is redirected to the same route again and again until it shows an error.",
        instead: "Redirect to a path that the route does not match, or to another host.",
        bad: Example(
            """
            routes: [{ path: /app/**, redirect: { to: «/app/start» } }]
            """),
        good: Example(
            """
            routes: [{ path: /app/**, redirect: { to: /start } }]
            """),
        check: { context in
            let redirects = context.routes.indices.compactMap { index in
                target(of: context.routes[index]).map { (index: index, item: $0.item, request: $0.request) }
            }
            guard !redirects.isEmpty else { return [] }
            let coverage = RouteCoverage(context.routes.map(\.configuration), pathCase: context.configuration.server.pathCase)
            var steps = RouteCoverage.stepLimit
            return redirects.compactMap { redirect in
                guard coverage.first(covering: redirect.request, steps: &steps) == redirect.index else { return nil }
                return Diagnostic(
                    .redirectLoop, at: redirect.item.referenceSpan, "this route also matches the path it redirects to",
                    label: "redirect loop",
                    help: "redirect to a path that this route does not match")
            }
        })

    /// The request that a browser sends after the redirect, to the same host.
    private static func target(of route: LintContext.Route) -> (item: Item, request: RouteConfiguration)? {
        guard route.configuration.methods.isEmpty || route.configuration.methods.contains("GET"), route.isReadable,
            let item = route.object["redirect"]?.object?["to"], let text = item.text, text.hasPrefix("/"), !text.hasPrefix("//"),
            let path = text.split(separator: "?", omittingEmptySubsequences: false).first.map(String.init),
            let pattern = try? RoutePattern(route.configuration.path), (try? RedirectTarget(text, of: pattern)) != nil
        else { return nil }
        var request = RouteConfiguration()
        request.host = route.configuration.host
        request.path = path
        request.methods = ["GET"]
        return (item, request)
    }
}
