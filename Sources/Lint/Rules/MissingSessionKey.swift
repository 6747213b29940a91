import Config
import Diagnostics

extension RuleName {
    static let missingSessionKey = RuleName("missing-session-key", .warning)
}

extension Rule {
    static let missingSessionKey = Rule(
        .missingSessionKey, what: "`session.keys` is missing.",
        why:
            "The gateway then creates a key at start. Every restart signs out all users, and a second instance cannot read the first one's sessions.",
        instead: "Run `gateway keygen session > session.key`, then write `keys: [\"${file:./session.key}\"]`.",
        bad: Example(
            """
            «version»: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """, whole: true),
        good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            guard !(context.root["providers"]?.list?.isEmpty ?? true) else { return [] }
            let help = "run `gateway keygen session > session.key` and add `keys: [\"${file:./session.key}\"]` under `session`"
            let message = "without `session.keys`, every restart signs out all users"
            guard let item = context.root["session"] else {
                return context.root.isPlainlyMissing("session")
                    ? [Diagnostic(.missingSessionKey, at: context.root.span, message, help: help)] : []
            }
            guard let session = item.object else { return [] }
            let isEmpty = session["keys"]?.list?.isEmpty ?? session.isPlainlyMissing("keys")
            return isEmpty ? [Diagnostic(.missingSessionKey, at: session.span, message, help: help)] : []
        })
}
