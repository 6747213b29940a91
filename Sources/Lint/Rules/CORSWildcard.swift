import Config
import Diagnostics

extension Rule {
    static let corsWildcard = Rule(
        .corsWildcard, what: "`cors` lets every origin call with the person's session.",
        why: "Then any page in the world could read what the person may read. Browsers refuse the combination.",
        instead: "List the origins of your pages, or write `credentials: false` for what is public anyway.",
        bad: Example(
            """
            cors: { origins: [«"*"»] }
            """),
        good: Example(
            """
            cors: { origins: [https://spa.example.com] }
            """),
        check: { context in
            RoutingSections(context).mappings("cors").flatMap { cors in
                guard cors["credentials"]?.boolean ?? true, cors["credentials"]?.isUnreadable != true else { return [Diagnostic]() }
                return (cors["origins"]?.list ?? []).filter { $0.text == "*" }.map { item in
                    Diagnostic(
                        .corsWildcard, at: item.referenceSpan, "`*` and the session cookie do not go together",
                        label: "every page in the world",
                        help: "list the origins, or write `credentials: false`")
                }
            }
        })
}
