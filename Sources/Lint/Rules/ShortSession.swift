import Config
import Diagnostics

extension RuleName {
    static let shortSession = RuleName("short-session", .warning)
}

extension Rule {
    static let shortSession = Rule(
        .shortSession, what: "`idleTimeout` is below one minute, or `absoluteTimeout` is below five minutes.",
        why: "Users are redirected to the provider repeatedly and lose form input.",
        instead: "Use an `idleTimeout` of several minutes. For individual routes that need a recent sign-in, use `maxAge`.",
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
                    help: "use minutes; for single routes that need a recent sign-in, use `maxAge`")
            }
        })
}
