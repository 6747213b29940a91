import Config
import Diagnostics
import Providers

extension Rule {
    static let unknownScope = Rule(
        .unknownScope, what: "A scope is none that this provider documents.",
        why: "Providers answer an unknown scope with an error page, or leave it out silently.",
        instead: "Correct the name. A scope of your own, newer than this gateway, is fine: silence the warning with a reason.",
        bad: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                scopes: [«user:emial»]
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        good: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                scopes: [user:email]
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let preset = provider.preset, !preset.knownScopes.isEmpty else { return [] }
                let known = preset.knownScopes + preset.baseScopes
                return (provider.object["scopes"]?.list ?? []).compactMap { item in
                    guard let scope = item.text, !known.contains(scope) else { return nil }
                    let near = item.expanded?.isLiteral ?? false ? Spelling.nearest(to: scope, among: known) : nil
                    return Diagnostic(
                        .unknownScope, at: item.referenceSpan, "this is not a scope that \(preset.displayName) documents",
                        label: near.map { "did you mean `\($0)`?" },
                        help: near.map { "write `\($0)`" } ?? "check the provider's list of scopes")
                }
            }
        })
}
