import YAML
import Config
import Diagnostics
import Providers

extension RuleName {
}

extension Rule {
    static let unknownProvider = Rule(
        .unknownProvider, what: "A provider id is neither a preset nor `oidc.<slug>` nor `oauth2.<slug>`.",
        why: "The gateway knows presets and generic providers only.",
        instead:
            "Run `gateway providers` for the list of presets. For any other OpenID Connect provider, write `oidc.<slug>` and its `issuer`.",
        bad: Example(
            """
            providers:
              - id: «GitHub.com»
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["id"] else { return nil }
                guard case .failure(.unknownPreset(_, let catalogued)) = ProviderIDCheck.read(provider.id) else { return nil }
                let suggestion =
                    catalogued.map { ProviderIDCheck.withSlug($0, of: provider.id) } ?? ProviderIDCheck.suggestion(for: provider.id)
                let isLiteral = item.expanded?.isLiteral ?? false
                return Diagnostic(
                    .unknownProvider, at: item.referenceSpan, "\(isLiteral ? "`\(provider.id)`" : "this") is not a known provider",
                    label: suggestion.map { "did you mean `\($0)`?" },
                    help: suggestion.map { "write `\($0)`" }
                        ?? "for another OpenID Connect provider write `oidc.<slug>`; `gateway providers` lists the presets",
                    fix: isLiteral && item.node.anchor == nil
                        ? suggestion.map { Fix(safe: Spelling.isSameWord($0, provider.id), [.init(replacing: item.span, with: $0)]) } : nil)
            }
        })
}
