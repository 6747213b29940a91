import Diagnostics

extension Rule {
    static let implicitFlow = Rule(
        .implicitFlow, what: "`flow` selects a flow other than the authorization code flow.",
        why:
            "The implicit flow puts tokens into the browser's address bar. From there, they leak into the browser's history, into logs and to other pages. OAuth 2.1 removes it.",
        instead: "Remove `flow`. The default is the code flow with PKCE.",
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
