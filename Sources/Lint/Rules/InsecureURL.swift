import Diagnostics

extension Rule {
    static let insecureURL = Rule(
        .insecureURL, what: "A provider's URL uses plain http.",
        why:
            "Codes, secrets and tokens would cross the network unencrypted, and an attacker on the network could impersonate the provider.",
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
