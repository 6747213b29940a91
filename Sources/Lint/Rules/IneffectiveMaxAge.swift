import Config
import Diagnostics

extension Rule {
    static let ineffectiveMaxAge = Rule(
        .ineffectiveMaxAge, what: "`maxAge` is at least as long as any session lives.",
        why: "Every session is younger, so nobody is ever asked to sign in again.",
        instead: "Use a shorter `maxAge`, or remove it.",
        bad: Example(
            """
            routes: [{ path: /**, access: { groups: [staff], maxAge: «48h» } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { groups: [staff], maxAge: 15m } }]
            """),
        check: { context in
            guard context.session?["absoluteTimeout"]?.isUnreadable != true else { return [] }
            let longest = context.configuration.session.absoluteTimeout
            return context.accessRules.compactMap { _, rule in
                guard let item = rule["maxAge"], let limit = item.milliseconds, limit >= longest else { return nil }
                return Diagnostic(
                    .ineffectiveMaxAge, at: item.referenceSpan, "no session becomes this old", label: "never asks for a new sign-in",
                    help:
                        "make it shorter than `session.absoluteTimeout`\(context.session?["absoluteTimeout"] == nil ? ", 24h by default" : "")",
                    related: context.session?["absoluteTimeout"].map { [RelatedPlace("every session ends after this", at: $0.span)] } ?? [])
            }
        })
}
