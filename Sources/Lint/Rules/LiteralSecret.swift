import Config
import Diagnostics

extension RuleName {
    static let literalSecret = RuleName("literal-secret", .warning)
}

extension Rule {
    static let literalSecret = Rule(
        .literalSecret, what: "The configuration file contains a secret in plain text.",
        why: "Configuration files end up in repositories, tickets and backups. Everyone who can read those can read the secret.",
        instead: "Put the secret into a file or an environment variable, and refer to it.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: «kQ8vX2mZ7rT4wN9b»
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
            let urls = context.storeURLs.compactMap { key, item -> Diagnostic? in
                guard let written = item.writtenText, !item.isUnreadable, URLPassword.isLiteral(in: written) else { return nil }
                return Diagnostic(
                    .literalSecret, at: item.span, "the password of this URL is written into the file",
                    label: "readable by anyone with the file",
                    help: "replace the password with `${env:NAME}` or `${file:PATH}`, within the URL")
            }
            return urls
                + context.secrets.compactMap { key, item in
                    guard let text = item.expanded, !Placeholder.matches(text.text) else { return nil }
                    let usesDefault = text.references.contains { $0.usesDefault }
                    guard text.isLiteral || usesDefault else { return nil }
                    return Diagnostic(
                        .literalSecret, at: item.referenceSpan,
                        usesDefault ? "the default of this reference is a secret in the file" : "this secret is written into the file",
                        label: "readable by anyone with the file",
                        help: key == "keys"
                            ? "move it into a file and write \"${file:./session.key}\""
                            : key == "accounts.keys"
                                ? "move it into a file and write \"${file:./accounts.key}\"" : "write `${env:NAME}` or `${file:PATH}`")
                }
        })
}
