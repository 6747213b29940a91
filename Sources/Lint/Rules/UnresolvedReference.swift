import Diagnostics

extension Rule {
    static let unresolvedReference = Rule(
        .unresolvedReference, what: "A `${…}` is malformed, or its variable or file does not exist or cannot be read.",
        why: "If the gateway used an empty value instead, a password could be empty, or a rule could admit everyone.",
        instead:
            "Set the variable or create the file where the gateway runs. For a literal `${`, write `$${`. Findings never contain the value.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: «${env:UNSET_VARIABLE}»
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """))
}
