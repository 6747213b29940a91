import Primitives
import Config
import Diagnostics

extension RuleName {
    static let redundantOrigin = RuleName("redundant-origin", .warning)
}

extension Rule {
    static let redundantOrigin = Rule(
        .redundantOrigin, what: "A list of allowed origins contains the site's own origin.",
        why: "The site's own origin is always allowed. Often, the entry should be a different origin.",
        instead: "Remove it, or write the other origin.",
        bad: Example(
            """
            webSockets: { origins: [«https://app.example.com», https://www.example.com] }
            """),
        good: Example(
            """
            webSockets: { origins: [https://www.example.com] }
            """),
        check: { context in
            guard let publicURL = context.configuration.server.publicURL else { return [] }
            let sections = RoutingSections(context)
            return (sections.mappings("webSockets") + sections.mappings("cors")).flatMap { mapping in
                (mapping["origins"]?.list ?? []).compactMap { item in
                    guard case .origin(publicURL) = item.scalar else { return nil }
                    return Diagnostic(
                        .redundantOrigin, at: item.referenceSpan, "this is `publicURL` itself", label: "always allowed", help: "remove it")
                }
            }
        })
}
