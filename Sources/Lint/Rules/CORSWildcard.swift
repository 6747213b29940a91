import Config
import Diagnostics

extension RuleName {
    static let corsWildcard = RuleName("cors-wildcard")
}

extension Rule {
    static let corsWildcard = Rule(
        .corsWildcard, what: "`cors` lets every origin make calls with the user's session.",
        why:
            "Any page on the internet could read what the user can read. Browsers reject the combination of a wildcard origin and credentials.",
        instead: "List the origins of your pages. For public data, write `credentials: false`.",
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
                        .corsWildcard, at: item.referenceSpan, "`*` cannot be combined with the session cookie",
                        label: "every origin",
                        help: "list the origins, or write `credentials: false`")
                }
            }
        })
}
