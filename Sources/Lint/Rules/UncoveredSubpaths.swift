import Config
import Diagnostics

extension RuleName {
    static let uncoveredSubpaths = RuleName("uncovered-subpaths", .note)
}

extension Rule {
    static let uncoveredSubpaths = Rule(
        .uncoveredSubpaths, what: "A rule protects a path like `/**/name`, but not the paths below it.",
        why: "`/**/admin` matches `/shop/admin` but not `/shop/admin/users`, which goes to the next matching route.",
        instead: "End the path with `/**` to include every path below it.",
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
                    .uncoveredSubpaths, at: item.referenceSpan, "this does not cover the paths below", label: "ends here",
                    help: "write \"\(text)/**\" to include everything below")
            }
        })
}
