import Diagnostics

extension Rule {
    static let implicitFlow = Rule(
        .implicitFlow, what: "A flow other than the authorization code flow is asked for.",
        why:
            "The implicit flow hands tokens to the browser's address bar, where history, logs and other pages see them. OAuth 2.1 removes it.",
        instead: "Remove `flow`; the code flow with PKCE is the default.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                flow: «implicit»
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                flow: code
            """))
}
