import Config
import Diagnostics
import YAML

extension RuleName {
    static let trailingSlash = RuleName("trailing-slash", .warning)
}

extension Rule {
    static let trailingSlash = Rule(
        .trailingSlash, what: "A path ends with a slash, so it covers neither the paths below it nor the path without the slash.",
        why: "`/admin/` matches one path only. `/admin` and `/admin/users` go to the next matching route.",
        instead: "Write `/admin/**`, which covers `/admin`, `/admin/` and every path below it.",
        bad: Example(
            """
            routes: [{ path: «/admin/», access: { groups: [admins] } }]
            """),
        good: Example(
            """
            routes: [{ path: /admin/**, access: { groups: [admins] } }]
            """),
        check: { context in
            let paths = Set(context.routes.map(\.configuration.path))
            return context.routes.compactMap { route in
                guard let item = route.object["path"], let text = item.text, text.count > 1, text.hasSuffix("/") else { return nil }
                // A file that lists the path in both spellings intends it.
                let bare = String(text.dropLast())
                guard paths.isDisjoint(with: [bare, text + "*", text + "**"]) else { return nil }
                let canFix = item.expanded?.isLiteral == true && item.node.anchor == nil && item.node.scalar?.style == .plain
                return Diagnostic(
                    .trailingSlash, at: item.referenceSpan, "this matches a single path, not the paths below it",
                    label: "ends with a slash",
                    help: "write `\(text)**` to include everything below, or `\(bare)`",
                    fix: canFix ? Fix(safe: false, [.init(replacing: item.span, with: text + "**")]) : nil)
            }
        })
}
