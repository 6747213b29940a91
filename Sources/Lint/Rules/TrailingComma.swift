import Diagnostics

extension Rule {
    static let trailingComma = Rule(
        .trailingComma, what: "A comma follows a value at the end of a line.",
        why:
            "In block style, the end of the line ends a value. YAML reads a comma after an unquoted value as part of the value, so an issuer or client ID becomes wrong. A comma after quotes, brackets or braces is a syntax error.",
        instead: "Remove the comma, or let `gateway validate --fix` remove it. If the comma belongs to the value, put the value in quotes.",
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
