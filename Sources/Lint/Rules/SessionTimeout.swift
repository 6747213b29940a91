import Config
import Diagnostics

extension Rule {
    static let sessionTimeout = Rule(
        .sessionTimeout, what: "Sessions may live longer than 30 days.",
        why: "A stolen cookie is good for as long, and someone who left keeps access until it ends.",
        instead: "Use a shorter `absoluteTimeout`; signing in again is one redirect where the provider still knows the person.",
        bad: Example("session: { absoluteTimeout: «90d», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { absoluteTimeout: 7d, keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            guard let item = context.session?["absoluteTimeout"], let limit = item.milliseconds, limit > 30 * 86_400_000 else { return [] }
            return [
                Diagnostic(
                    .sessionTimeout, at: item.referenceSpan, "sessions may live longer than 30 days", label: "a stolen cookie does, too",
                    help: "use at most `30d`")
            ]
        })
}
