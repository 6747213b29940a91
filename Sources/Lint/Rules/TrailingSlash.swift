import Config
import Diagnostics
import YAML

extension Rule {
    static let trailingSlash = Rule(
        .trailingSlash, what: "A path ends with a slash, and so covers neither what lies below it nor the path without it.",
        why: "`/admin/` is one path. `/admin` and `/admin/users` are others, and fall to the next route that matches.",
        instead: "Write `/admin/**`: it covers `/admin`, `/admin/` and everything below.",
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
                // A file that lists the path in both spellings means it.
                let bare = String(text.dropLast())
                guard paths.isDisjoint(with: [bare, text + "*", text + "**"]) else { return nil }
                let canFix = item.expanded?.isLiteral == true && item.node.anchor == nil && item.node.scalar?.style == .plain
                return Diagnostic(
                    .trailingSlash, at: item.referenceSpan, "this covers one path only, not what lies below it", label: "ends with a slash",
                    help: "write `\(text)**` for everything below, or `\(bare)`",
                    fix: canFix ? Fix(safe: false, [.init(replacing: item.span, with: text + "**")]) : nil)
            }
        })
}
