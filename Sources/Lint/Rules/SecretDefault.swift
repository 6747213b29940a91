import Config
import Diagnostics

extension RuleName {
    static let secretDefault = RuleName("secret-default", .warning)
}

extension Rule {
    static let secretDefault = Rule(
        .secretDefault, what: "A reference to a secret has a default.",
        why:
            "If the variable is not set, the gateway starts with the default as its secret, and everyone who can read the file knows the secret.",
        instead: "Write `${env:NAME}` without a default. An unset variable is then an error.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: «${env:ACME_CLIENT_SECRET:-s3cr3t-in-the-file}»
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
            context.secrets.compactMap { key, item in
                guard let text = item.expanded, !text.defaults.isEmpty, !text.references.contains(where: \.usesDefault),
                    !text.defaults.allSatisfy({ $0.start == $0.end })
                else { return nil }
                return Diagnostic(
                    .secretDefault, at: item.referenceSpan, "if the variable is not set, the default becomes the secret",
                    label: "readable by anyone with the file",
                    help: "remove the default, so that an unset variable is an error")
            }
        })
}
