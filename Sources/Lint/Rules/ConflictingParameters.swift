import Config
import Diagnostics
import Providers
import YAML

extension Rule {
    static let conflictingParameters = Rule(
        .conflictingParameters, what: "Two settings of one provider contradict each other in the provider's own documentation.",
        why: "The provider refuses the request, or drops one of the two, at each sign-in.",
        instead: "Keep the one that is meant.",
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

    /// learn.microsoft.com/entra/identity-platform/v2-protocols-oidc: a hint names the account that the other asks to choose.
    private static func microsoft(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard provider.preset?.id == "microsoft.com", let entries = provider.object["customParameters"]?.map,
            let hint = entries.first(where: { $0.name == "login_hint" }),
            let prompt = entries.first(where: { $0.name == "prompt" && $0.item.text == "select_account" })
        else { return [] }
        return [
            Diagnostic(
                .conflictingParameters, at: prompt.item.span, "`login_hint` and `prompt: select_account` cannot go together",
                label: "asks to choose", help: "remove one of the two",
                related: [RelatedPlace("this names the account already", at: hint.key.span)])
        ]
    }

    /// developer.apple.com: with a name or an address asked for, `response_mode` must be form_post.
    private static func apple(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard provider.preset?.id == "apple.com", let mode = provider.object["responseMode"], mode.text == "query" else { return [] }
        return [
            Diagnostic(
                .conflictingParameters, at: mode.span, "Apple answers with `form_post` only when a name or an address is asked for",
                label: "refused by Apple", help: "remove it")
        ]
    }
}
