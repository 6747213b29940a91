import Config
import Diagnostics
import Providers
import YAML

extension RuleName {
    static let conflictingParameters = RuleName("conflicting-parameters", .warning)
}

extension Rule {
    static let conflictingParameters = Rule(
        .conflictingParameters, what: "Two settings of a provider contradict each other according to the provider's documentation.",
        why: "At each sign-in, the provider rejects the request or ignores one of the settings.",
        instead: "Remove one of the two.",
        bad: Example(
            """
            providers:
              - id: microsoft.com
                tenant: contoso.onmicrosoft.com
                clientID: 5f3c0d6e-7a1b-4c2d-9e8f-0a1b2c3d4e5f
                clientSecret: ${env:MICROSOFT_CLIENT_SECRET}
                customParameters:
                  login_hint: user@example.com
                  prompt: «select_account»
            """),
        good: Example(
            """
            providers:
              - id: microsoft.com
                tenant: contoso.onmicrosoft.com
                clientID: 5f3c0d6e-7a1b-4c2d-9e8f-0a1b2c3d4e5f
                clientSecret: ${env:MICROSOFT_CLIENT_SECRET}
                customParameters:
                  prompt: select_account
            """),
        check: { context in context.providers.flatMap { microsoft($0) + apple($0) } })

    /// Entra ID: `login_hint` names an account, `select_account` asks the user to choose one
    /// (learn.microsoft.com/entra/identity-platform/v2-protocols-oidc).
    private static func microsoft(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard provider.preset?.id == "microsoft.com", let entries = provider.object["customParameters"]?.map,
            let hint = entries.first(where: { $0.name == "login_hint" }),
            let prompt = entries.first(where: { $0.name == "prompt" && $0.item.text == "select_account" })
        else { return [] }
        return [
            Diagnostic(
                .conflictingParameters, at: prompt.item.span, "`login_hint` and `prompt: select_account` contradict each other",
                label: "asks the user to choose an account", help: "remove one of the two",
                related: [RelatedPlace("already names the account", at: hint.key.span)])
        ]
    }

    /// Apple: with the scope `name` or `email`, `response_mode` must be form_post (developer.apple.com).
    private static func apple(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard provider.preset?.id == "apple.com", let mode = provider.object["responseMode"], mode.text == "query" else { return [] }
        return [
            Diagnostic(
                .conflictingParameters, at: mode.span, "Apple requires `form_post` when the scopes include `name` or `email`",
                label: "rejected by Apple", help: "remove it")
        ]
    }
}
