import Diagnostics

extension Rule {
    static let insecureURL = Rule(
        .insecureURL, what: "A provider is addressed by plain http.",
        why: "Codes, secrets and tokens would cross the network in the clear, and anyone on the way could answer for the provider.",
        instead: "Write `https://`. Plain http is allowed on loopback.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «http://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: http://127.0.0.1:5556
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """))
}
