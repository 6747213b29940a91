import Config
import Diagnostics

extension Rule {
    static let placeholderValue = Rule(
        .placeholderValue, what: "A credential is still a template's placeholder.",
        why: "No provider accepts a placeholder, and as a secret it is publicly known.",
        instead: "Write the value that the provider assigned.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: «your-client-id»
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            let public_ = context.providers.flatMap { provider in
                ["clientID", "keyID", "teamID", "tenant", "realm"].compactMap { key in provider.object[key].map { (key: key, item: $0) } }
            }
            return (public_ + context.secrets).compactMap { key, item in
                guard let text = item.text, Placeholder.matches(text) else { return nil }
                return Diagnostic(
                    .placeholderValue, at: item.referenceSpan, "`\(key)` is a placeholder", label: "not a real value",
                    help: "write the value from the provider's console")
            }
        })
}
