import Config
import Diagnostics

extension RuleName {
    static let regexPath = RuleName("regex-path", .warning)
}

extension Rule {
    static let regexPath = Rule(
        .regexPath, what: "A path looks like a regular expression.",
        why: "Paths are compared segment by segment. Characters such as `(` or `+` match only themselves, so the route never applies.",
        instead: "Write `*` for one segment and `**` for any number of segments. Write one route per alternative.",
        bad: Example(
            """
            routes: [{ path: «"/(admin|ops)/**"», access: { groups: [admins] } }]
            """),
        good: Example(
            """
            routes:
              - path: /admin/**
                access: { groups: [admins] }
              - path: /ops/**
                access: { groups: [admins] }
            """),
        check: { context in
            context.routes.compactMap { route in
                guard let item = route.object["path"], let text = item.text, looksRegular(text) else { return nil }
                return Diagnostic(
                    .regexPath, at: item.referenceSpan, "a path is not a regular expression",
                    label: "matches only this literal text",
                    help: "write `*` for one segment, `**` for any number of segments, and one route per alternative")
            }
        })

    private static func looksRegular(_ path: String) -> Bool {
        func has(_ signs: String) -> Bool { signs.utf8.allSatisfy(path.utf8.contains) }
        let hasGroup = has("()") && (has("|") || has("?"))
        return path.hasSuffix("$") || has("\\") || (has("+") && path.contains(".+")) || hasGroup || has("[]-")
    }
}
