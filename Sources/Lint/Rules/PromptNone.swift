import Config
import Diagnostics

extension RuleName {
    static let promptNone = RuleName("prompt-none", .warning)
}

extension Rule {
    static let promptNone = Rule(
        .promptNone, what: "The gateway sends `prompt: none` with every sign-in.",
        why:
            "This value forbids the provider from showing a page. A user without a session at the provider gets an error and can never sign in.",
        instead: "Remove the parameter. For silent renewal, let a page send it: write `requestParameters: [prompt]`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { prompt: «none» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { prompt: select_account }
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["customParameters"]?.map ?? []).filter { $0.name == "prompt" && $0.item.text == "none" }.map { entry in
                    Diagnostic(
                        .promptNone, at: entry.item.referenceSpan, "the provider can never show its sign-in page",
                        label: "users cannot sign in there",
                        help: "remove it, or write `login`, `consent` or `select_account`")
                }
            }
        })
}
