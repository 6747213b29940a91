import Config
import Diagnostics

extension Rule {
    static let uncoveredSubpaths = Rule(
        .uncoveredSubpaths, what: "A rule protects paths that end in a name behind `**`, and not what lies below them.",
        why: "`/**/admin` is `/shop/admin`, but not `/shop/admin/users`, which falls to the next route that matches.",
        instead: "End the path with `/**` if everything below is meant.",
        bad: Example(
            """
            routes: [{ path: «"/**/admin"», access: { groups: [admins] } }]
            """),
        good: Example(
            """
            routes: [{ path: "/**/admin/**", access: { groups: [admins] } }]
            """),
        check: { context in
            let paths = Set(context.routes.map(\.configuration.path))
            return context.routes.compactMap { route in
                guard let item = route.object["path"], let text = item.text, route.object["access"]?.object != nil else { return nil }
                let segments = text.split(separator: "/")
                guard segments.dropLast().contains("**"), let last = segments.last, last != "**", last != "*", !last.contains("."),
                    !last.hasPrefix("{"),
                    !paths.contains(text + "/**")
                else { return nil }
                return Diagnostic(
                    .uncoveredSubpaths, at: item.referenceSpan, "what lies below this path is not covered", label: "ends here",
                    help: "write \"\(text)/**\" if everything below is meant")
            }
        })
}
