import Config
import Diagnostics

extension RuleName {
    static let sessionTimeout = RuleName("session-timeout", .warning)
}

extension Rule {
    static let sessionTimeout = Rule(
        .sessionTimeout, what: "Sessions can last longer than 30 days.",
        why: "Until the session ends, a stolen cookie stays valid and a former employee keeps access.",
        instead:
            "Use a shorter `absoluteTimeout`. If the user still has a session at the provider, signing in again takes only a redirect.",
        bad: Example("session: { absoluteTimeout: «90d», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { absoluteTimeout: 7d, keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            guard let item = context.session?["absoluteTimeout"], let limit = item.milliseconds, limit > 30 * 86_400_000 else { return [] }
            return [
                Diagnostic(
                    .sessionTimeout, at: item.referenceSpan, "sessions can last longer than 30 days", label: "and so can a stolen cookie",
                    help: "use at most `30d`")
            ]
        })
}
