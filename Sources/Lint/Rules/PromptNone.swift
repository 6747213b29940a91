import Config
import Diagnostics

extension Rule {
    static let promptNone = Rule(
        .promptNone, what: "`prompt: none` is sent with every sign-in.",
        why: "It forbids the provider to show a page: whoever is not signed in there already gets an error and can never sign in.",
        instead: "Remove it, or let a page pass it for a silent renewal: `requestParameters: [prompt]`.",
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
                        .promptNone, at: entry.item.referenceSpan, "the provider may never show a sign-in page",
                        label: "nobody can sign in there",
                        help: "remove it, or write `login`, `consent` or `select_account`")
                }
            }
        })
}
