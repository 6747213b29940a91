import Diagnostics

extension Rule {
    static let invalidIssuer = Rule(
        .invalidIssuer,
        what: "`issuer` is not a URL, has a query, fragment or user information, or is the address of the discovery document.",
        why:
            "The gateway compares the issuer byte for byte with the `iss` claim of the provider's tokens (OpenID Connect Core 3.1.3.7). With a wrong issuer, every sign-in fails.",
        instead: "Copy the value of `issuer` from the provider's discovery document. Keep a trailing slash if it has one.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com/.well-known/openid-configuration»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com/
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """))
}
