import Config
import Diagnostics
import YAML

extension RuleName {
    static let foreignCapture = RuleName("foreign-capture", .warning)
}

extension Rule {
    static let foreignCapture = Rule(
        .foreignCapture, what: "A path contains a segment like `:id` or `<id>`, which captures nothing.",
        why:
            "Some frameworks write variable segments this way. Here the segment matches only that literal text, so the route never applies.",
        instead: "Write `{id}` to capture the segment, or `*` to match any segment.",
        bad: Example(
            """
            routes: [{ path: «/users/:id», access: { groups: [admins] } }]
            """),
        good: Example(
            """
            routes: [{ path: "/users/{id}", access: { groups: [admins] } }]
            """),
        check: { context in
            context.routes.compactMap { route in
                guard let item = route.object["path"], let text = item.text,
                    text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "<") })
                else { return nil }
                let segments = text.split(separator: "/", omittingEmptySubsequences: false)
                let rewritten = segments.map { segment in name(in: segment).map { "{\($0)}" } ?? String(segment) }.joined(separator: "/")
                guard rewritten != text else { return nil }
                let canFix = item.expanded?.isLiteral == true && item.node.anchor == nil && item.node.scalar?.style != .block
                return Diagnostic(
                    .foreignCapture, at: item.referenceSpan, "a variable segment is written `{name}`", label: "matches only this text",
                    help: "write \"\(rewritten)\"",
                    fix: canFix ? Fix(safe: false, [.init(replacing: item.span, with: "\"\(rewritten)\"")]) : nil)
            }
        })

    /// The name of a `:name` or `<name>` segment.
    private static func name(in segment: Substring) -> Substring? {
        let name =
            segment.hasPrefix(":")
            ? segment.dropFirst() : segment.hasPrefix("<") && segment.hasSuffix(">") ? segment.dropFirst().dropLast() : ""
        let isName =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && name.first?.isNumber == false
        return isName ? name : nil
    }
}
