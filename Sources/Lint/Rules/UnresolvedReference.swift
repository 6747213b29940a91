import Diagnostics

extension Rule {
    static let unresolvedReference = Rule(
        .unresolvedReference, what: "A `${…}` is malformed, or what it names is not set or cannot be read.",
        why: "An empty text in its place would be a password of no letters, or a rule that admits everyone.",
        instead:
            "Set the variable or create the file where the gateway runs. A literal `${` is written `$${`. The value itself is never printed.",
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
