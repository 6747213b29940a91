import Config
import Diagnostics

extension Rule {
    static let redundantOrigin = Rule(
        .redundantOrigin, what: "The site's own origin is listed among those that are let in.",
        why: "It always is. Listed, it hides what is meant to be let in besides.",
        instead: "Remove it.",
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
                        .redundantOrigin, at: item.referenceSpan, "this is `publicURL` itself", label: "let in anyway", help: "remove it")
                }
            }
        })
}
