import Config
import Diagnostics

extension Rule {
    static let shortSession = Rule(
        .shortSession, what: "Sessions end within a minute without a request, or within five minutes in all.",
        why: "People are sent to the provider over and over, and lose what they typed.",
        instead: "Use an `idleTimeout` of some minutes. For single routes that need a fresh sign-in there is `maxAge`.",
        bad: Example(
            """
            session: { idleTimeout: «30s», keys: ["${file:./session.key}"] }
            """),
        good: Example(
            """
            session: { idleTimeout: 30m, keys: ["${file:./session.key}"] }
            """),
        check: { context in
            [
                ("idleTimeout", Int64(60_000), "reading one page takes longer"),
                ("absoluteTimeout", 300_000, "filling in a form takes longer"),
            ].compactMap { key, least, label in
                guard let item = context.session?[key], let limit = item.milliseconds, limit < least else { return nil }
                return Diagnostic(
                    .shortSession, at: item.referenceSpan,
                    "sessions end after less than \(least / 60_000 == 1 ? "a minute" : "five minutes")", label: label,
                    help: "did you mean minutes? For single routes there is `maxAge`")
            }
        })
}
