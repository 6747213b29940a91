import Config
import Diagnostics

extension RuleName {
    static let sameSiteNone = RuleName("same-site-none", .warning)
}

extension Rule {
    static let sameSiteNone = Rule(
        .sameSiteNone, what: "The session cookie has `SameSite=None`, so browsers send it with requests from other sites.",
        why:
            "`SameSite=None` disables the browser's protection against cross-site request forgery. Most browsers also block such cookies in frames.",
        instead: "Remove `sameSite`, or write `lax`. The redirect back from the provider works with `lax`.",
        bad: Example(
            """
            session: { cookie: { sameSite: «none» }, keys: ["${file:./session.key}"] }
            """),
        good: Example(
            """
            session: { cookie: { sameSite: lax }, keys: ["${file:./session.key}"] }
            """),
        check: { context in
            guard let item = context.session?["cookie"]?.object?["sameSite"], item.text == "none",
                context.configuration.everywhere.csrf != .origin
            else { return [] }
            return [
                Diagnostic(
                    .sameSiteNone, at: item.referenceSpan, "other sites can send requests with the user's session",
                    label: "no cross-site protection",
                    help: "write `lax`, or remove it; if other sites embed the app in a frame, add `csrf: origin`")
            ]
        })
}
