import Config
import Diagnostics
import Providers

extension RuleName {
    static let missingBaseScope = RuleName("missing-base-scope")
}

extension Rule {
    static let missingBaseScope = Rule(
        .missingBaseScope, what: "`preconfiguredScopes` lacks a scope that the gateway requests at every sign-in with this provider.",
        why:
            "The gateway needs the base scopes to identify the user. If the provider's console does not grant them, the provider refuses the sign-in.",
        instead: "Grant the scope in the provider's console and add it to `preconfiguredScopes`.",
        bad: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                preconfiguredScopes: «[»openid, profile]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                preconfiguredScopes: [openid, profile, email]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let preset = provider.preset, let granted = provider.object["preconfiguredScopes"], let items = granted.list,
                    !items.contains(where: \.isUnreadable)
                else { return [] }
                let names = Set(items.compactMap(\.text))
                return preset.baseScopes.filter { !names.contains($0) }.map { scope in
                    Diagnostic(
                        .missingBaseScope, at: granted.span, "`preconfiguredScopes` lacks the base scope `\(scope)`",
                        label: "`\(scope)` is always requested", help: "grant `\(scope)` in the provider's console and add it here")
                }
            }
        })
}
