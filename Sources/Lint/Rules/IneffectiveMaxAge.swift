import Config
import Diagnostics

extension RuleName {
    static let ineffectiveMaxAge = RuleName("ineffective-max-age", .warning)
}

extension Rule {
    static let ineffectiveMaxAge = Rule(
        .ineffectiveMaxAge, what: "`maxAge` is at least as long as the longest session.",
        why: "No session becomes that old, so no user ever has to sign in again.",
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
                    .ineffectiveMaxAge, at: item.referenceSpan, "every session ends before it reaches this age", label: "has no effect",
                    help:
                        "make it shorter than `session.absoluteTimeout`\(context.session?["absoluteTimeout"] == nil ? ", which is 24h by default" : "")",
                    related: context.session?["absoluteTimeout"].map { [RelatedPlace("every session ends after this", at: $0.span)] } ?? [])
            }
        })
}
