import Primitives
import Config
import Diagnostics

extension RuleName {
    static let corsSameSite = RuleName("cors-same-site", .warning)
}

extension Rule {
    static let corsSameSite = Rule(
        .corsSameSite, what: "`cors` lists an origin on another site, and browsers do not send the session cookie there.",
        why:
            "With `SameSite=Lax` or `Strict`, a browser sends the cookie between hosts of one site (`spa.example.com` to `api.example.com`), but not between sites. Every such call returns 401.",
        instead: "Serve the page from a host of the same site, or write `credentials: false`.",
        bad: Example(
            """
            cors: { origins: [«https://spa.example.org»] }
            """),
        good: Example(
            """
            cors: { origins: [https://spa.example.com] }
            """),
        check: { context in
            guard let publicURL = context.configuration.server.publicURL, context.configuration.session.sameSite != .none else { return [] }
            let site = (publicURL.scheme, Sites.registrable(publicURL.host))
            return RoutingSections(context).mappings("cors").flatMap { cors in
                guard cors["credentials"]?.boolean ?? true else { return [Diagnostic]() }
                return (cors["origins"]?.list ?? []).compactMap { item in
                    guard case .origin(let origin) = item.scalar, (origin.scheme, Sites.registrable(origin.host)) != site else {
                        return nil
                    }
                    return Diagnostic(
                        .corsSameSite, at: item.referenceSpan, "this origin is not on the same site as `\(publicURL.text)`",
                        label: "calls carry no session cookie",
                        help: "serve the page below `\(site.1)`, or write `credentials: false`")
                }
            }
        })
}
