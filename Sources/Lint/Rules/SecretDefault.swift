import Config
import Diagnostics

extension Rule {
    static let secretDefault = Rule(
        .secretDefault, what: "A reference to a secret has a default.",
        why: "Where the variable is not set the gateway starts all the same, with a secret that everyone who reads the file knows.",
        instead: "Write `${env:NAME}`: an unset variable is then an error.",
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
                    .secretDefault, at: item.referenceSpan, "where the variable is not set, the default is the secret",
                    label: "in the file for all to read",
                    help: "remove the default: an unset variable is then an error")
            }
        })
}
