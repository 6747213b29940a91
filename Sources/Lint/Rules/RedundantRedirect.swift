import Primitives
import Config
import Diagnostics

extension RuleName {
    static let redundantRedirect = RuleName("redundant-redirect", .warning)
}

extension Rule {
    static let redundantRedirect = Rule(
        .redundantRedirect, what: "`allowedRedirects` contains the gateway's own origin.",
        why: "Redirects to the gateway's own origin are always allowed. Often, the entry should be a different origin.",
        instead: "Remove it, or write the other origin.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, allowedRedirects: [«https://app.example.com»] }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, allowedRedirects: [https://www.example.com] }
            """),
        check: { context in
            (context.server?["allowedRedirects"]?.list ?? []).compactMap { item -> Diagnostic? in
                guard case .origin(let origin) = item.scalar, origin == context.configuration.server.publicURL else { return nil }
                return Diagnostic(
                    .redundantRedirect, at: item.referenceSpan, "this is `publicURL` itself, which is always allowed",
                    label: "has no effect",
                    help: "remove it, or write another origin",
                    related: context.server?["publicURL"].map { [RelatedPlace("always allowed", at: $0.span)] } ?? [])
            }
        })
}
