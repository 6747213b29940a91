import Config
import Diagnostics

extension Rule {
    static let regexPath = Rule(
        .regexPath, what: "A path looks like a regular expression.",
        why: "Paths are compared segment by segment; the signs of a regular expression only match themselves, so the route never applies.",
        instead: "Write `*` for one segment, `**` for any number, and one route for each alternative.",
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
                    label: "matches only these characters themselves",
                    help: "write `*` for one segment, `**` for any number; each alternative is a route of its own")
            }
        })

    private static func looksRegular(_ path: String) -> Bool {
        func has(_ signs: String) -> Bool { signs.utf8.allSatisfy(path.utf8.contains) }
        let hasGroup = has("()") && (has("|") || has("?"))
        return path.hasSuffix("$") || has("\\") || (has("+") && path.contains(".+")) || hasGroup || has("[]-")
    }
}
