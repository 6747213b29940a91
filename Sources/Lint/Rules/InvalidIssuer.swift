import Diagnostics

extension Rule {
    static let invalidIssuer = Rule(
        .invalidIssuer,
        what: "`issuer` is not a URL, has a query, a fragment or user information, or is the discovery document's own address.",
        why:
            "The issuer is compared byte for byte with what the provider writes into its tokens (OpenID Connect Core 3.1.3.7); a wrong one refuses every sign-in.",
        instead: "Copy the value of `issuer` from the provider's discovery document. A trailing slash stays if it is there.",
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
