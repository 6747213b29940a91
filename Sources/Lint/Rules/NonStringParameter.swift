import Diagnostics

extension Rule {
    static let nonStringParameter = Rule(
        .nonStringParameter, what: "The value of a custom parameter is an unquoted `true`, `false`, `null` or number.",
        why: "Parameters are strings. An unquoted `False`, `1.0` or `null` has several possible spellings in the request.",
        instead: "Put the value in quotes.",
        bad: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                customParameters: { allow_signup: «false» }
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                customParameters: { allow_signup: "false" }
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """))
}
