import Config
import Diagnostics
import Providers

extension Rule {
    static let unknownScope = Rule(
        .unknownScope, what: "A scope is none that this provider documents, or differs from a standard one by a single letter.",
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
                guard let preset = provider.preset else { return [] }
                let check = preset.knownScopes.isEmpty ? misspelling : undocumented
                return (provider.object["scopes"]?.list ?? []).compactMap { check($0, preset, provider.isGeneric) }
            }
        })

    /// A scope at a provider whose scopes are known.
    private static func undocumented(_ item: Item, _ preset: ProviderPreset, _ isGeneric: Bool) -> Diagnostic? {
        let known = preset.knownScopes + preset.baseScopes
        guard let scope = item.text, !known.contains(scope) else { return nil }
        let near = item.expanded?.isLiteral ?? false ? Spelling.nearest(to: scope, among: known) : nil
        return Diagnostic(
            .unknownScope, at: item.referenceSpan, "this is not a scope that \(preset.displayName) documents",
            label: near.map { "did you mean `\($0)`?" }, help: near.map { "write `\($0)`" } ?? "check the provider's list of scopes")
    }

    /// A scope at a provider that may have scopes of its own: only what is all but a standard one is wrong.
    private static func misspelling(_ item: Item, _ preset: ProviderPreset, _ isGeneric: Bool) -> Diagnostic? {
        let known = preset.baseScopes + (preset.kind == .oidc ? openIDScopes : [])
        guard let scope = item.text, !known.contains(scope), !(isGeneric && ownWords.contains(scope)),
            let near = known.first(where: { $0.utf8.count >= 5 && Spelling.isOneEdit(scope, $0) })
        else { return nil }
        let isLiteral = item.expanded?.isLiteral ?? false
        return Diagnostic(
            .unknownScope, at: item.referenceSpan,
            isLiteral ? "`\(scope)` differs from the scope `\(near)` by one letter" : "this differs from a standard scope by one letter",
            label: isLiteral ? "did you mean `\(near)`?" : nil, help: "write `\(near)`")
    }

    /// OpenID Connect Core 1.0 sections 5.4 and 11.
    private static let openIDScopes = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// Words that a provider of one's own may well use beside the standard scopes.
    private static let ownWords: Set<String> = ["mail", "emails", "profiles", "phones"]
}
