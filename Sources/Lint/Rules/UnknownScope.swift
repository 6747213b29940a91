import Config
import Diagnostics
import Providers

extension RuleName {
    static let unknownScope = RuleName("unknown-scope", .warning)
}

extension Rule {
    static let unknownScope = Rule(
        .unknownScope, what: "The provider does not document a scope, or the scope differs from a standard scope by a single letter.",
        why: "The provider shows an error page, or silently ignores the scope.",
        instead: "Correct the name. If the provider added the scope after this gateway release, silence the warning with a reason.",
        bad: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                scopes: [«user:emial»]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
                scopes: [user:email]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let preset = provider.preset else { return [] }
                let check = preset.knownScopes.isEmpty ? misspelling : undocumented
                return (provider.object["scopes"]?.list ?? []).compactMap { check($0, preset, provider.isGeneric) }
            }
        })

    /// Checks a scope of a provider with known scopes.
    private static func undocumented(_ item: Item, _ preset: ProviderPreset, _ isGeneric: Bool) -> Diagnostic? {
        let known = preset.knownScopes + preset.baseScopes
        guard let scope = item.text, !known.contains(scope) else { return nil }
        let near = item.expanded?.isLiteral ?? false ? Spelling.nearest(to: scope, among: known) : nil
        return Diagnostic(
            .unknownScope, at: item.referenceSpan, "\(preset.displayName) does not document this scope",
            label: near.map { "did you mean `\($0)`?" }, help: near.map { "write `\($0)`" } ?? "look it up in the provider's list of scopes"
        )
    }

    /// Checks a scope of a provider that may define its own: reports only near misses of standard scopes.
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

    /// Scopes that a self-hosted provider may define beside the standard ones.
    private static let ownWords: Set<String> = ["mail", "emails", "profiles", "phones"]
}
