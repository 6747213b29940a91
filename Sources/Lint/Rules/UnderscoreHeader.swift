import Config
import Diagnostics
import YAML

extension RuleName {
    static let underscoreHeader = RuleName("underscore-header", .warning)
}

extension Rule {
    static let underscoreHeader = Rule(
        .underscoreHeader, what: "The name of an identity header contains an underscore.",
        why: "Many servers, including nginx by default, silently drop such headers. Others treat `_` and `-` as the same.",
        instead: "Use `-`.",
        bad: Example(
            """
            identity: { headers: { «X_User»: "{{ username }}" } }
            """),
        good: Example(
            """
            identity: { headers: { X-User: "{{ username }}" } }
            """),
        check: { context in
            let entries = context.root["identity"]?.object?["headers"]?.map ?? []
            let counts = Dictionary(entries.map { (HeaderNames.folded($0.name), 1) }, uniquingKeysWith: +)
            return entries.compactMap { entry in
                guard entry.name.contains("_"), HeaderNames.isValid(entry.name) else { return nil }
                // `header-collision` already reports a collision.
                let folded = HeaderNames.folded(entry.name)
                guard counts[folded] == 1, !HeaderNames.owned.contains(folded) else { return nil }
                let better = entry.name.replacing("_", with: "-")
                return Diagnostic(
                    .underscoreHeader, at: entry.key.span, "many servers drop headers with an underscore", label: "contains `_`",
                    help: "write `\(better)`",
                    fix: entry.key.anchor == nil ? Fix(safe: false, [.init(replacing: entry.key.span, with: better)]) : nil)
            }
        })
}
