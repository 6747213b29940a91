import Access
import Config
import Diagnostics

extension RuleName {
    static let invalidRedirect = RuleName("invalid-redirect")
}

extension Rule {
    static let invalidRedirect = Rule(
        .invalidRedirect, what: "The target of a redirect is invalid, or the client could choose its host.",
        why:
            "If the host contains a capture, or the path can start with two slashes, an attacker can craft a link to your site that redirects to the attacker's site.",
        instead: "Write `https://` and a fixed host, and use captures only in the path. Or write an absolute path.",
        bad: Example(
            """
            routes: [{ path: "/to/{site}", redirect: { to: «"https://{site}.example.com/"» } }]
            """),
        good: Example(
            """
            routes: [{ path: "/to/{page}", redirect: { to: "https://www.example.com/{page}" } }]
            """),
        check: { context in
            context.routes.compactMap { route in
                guard let item = route.object["redirect"]?.object?["to"], let text = item.text, !text.isEmpty,
                    route.object["path"]?.isUnreadable != true, let pattern = try? RoutePattern(route.configuration.path)
                else { return nil }
                do throws(RedirectTargetError) {
                    _ = try RedirectTarget(text, of: pattern)
                    return nil
                } catch {
                    let (message, help) = words(error)
                    return Diagnostic(.invalidRedirect, at: item.referenceSpan, message, help: help)
                }
            }
        })

    private static func words(_ error: RedirectTargetError) -> (String, String) {
        switch error {
        case .notAbsolute: ("this is neither an https URL nor an absolute path", "write `https://www.example.com/…` or `/…`")
        case .insecure: ("this redirects users to plain http", "write `https://`; http is allowed for loopback only")
        case .openHost: ("the client could choose the host of this redirect", "write a fixed host; captures may appear in the path only")
        case .template(let error):
            (
                "this target does not match the route's path: \(error)",
                "use the captures of `path`; the gateway appends the request's query"
            )
        }
    }
}
