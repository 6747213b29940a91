import Diagnostics

extension Rule {
    static let trailingComma = Rule(
        .trailingComma, what: "A comma follows a value at the end of a line.",
        why:
            "In block style, YAML separates values by the end of the line. It reads a comma behind an unquoted value as a part of the value, so an issuer or a client ID with a comma is a different one. Behind quotes, brackets or braces it breaks the file.",
        instead: "Remove the comma; `gateway validate --fix` does it. If the comma belongs to the value, put the value in quotes.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com«,»
                clientID: acme-web«,»
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                displayName: "Acme, Inc.,"
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """))
}
