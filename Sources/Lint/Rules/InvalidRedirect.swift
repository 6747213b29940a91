import Access
import Config
import Diagnostics

extension Rule {
    static let invalidRedirect = Rule(
        .invalidRedirect, what: "The target of a redirection is none, or a client could choose where it leads.",
        why:
            "With a capture in the host, or a path that can begin with two slashes, anybody can make a link to your site that ends on theirs.",
        instead: "Write `https://`, a fixed host, and captures in the path only; or an absolute path.",
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
        case .insecure: ("people would be sent to plain http", "write `https://`; http is for loopback only")
        case .openHost: ("where this leads would be the client's choice", "write the host out; captures go into the path")
        case .template(let error):
            (
                "this target does not fit the path of its route: \(error)",
                "captures are those of `path`; the request's query goes on by itself"
            )
        }
    }
}
