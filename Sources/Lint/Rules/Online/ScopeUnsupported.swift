import Config
import Diagnostics
import Providers

extension RuleName {
    static let scopeUnsupported = RuleName("scope-unsupported", .warning)
}

extension Rule {
    static let scopeUnsupported = Rule(
        .scopeUnsupported, what: "With `--online`: the provider's discovery document does not list a scope.",
        why:
            "Providers answer an unknown scope with `invalid_scope` or silently ignore it. Some do not list every scope that they support.",
        instead: "Correct the scope. If the provider supports it without listing it, say so in a `# gateway-ignore` comment.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [«mail.raed»]
            """),
        badAnswers: OnlineExample(),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                scopes: [mail.read]
            """),
        online: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let supported = provider.metadata?.list("scopes_supported"), !supported.isEmpty else { return [] }
                let written = provider.provider.object["scopes"]?.list ?? []
                return provider.settings.scopes.filter { !supported.contains($0) }.map { scope in
                    let item = written.first { $0.text == scope }
                    let near = Spelling.nearest(to: scope, among: supported)
                    return Diagnostic(
                        .scopeUnsupported, at: item?.referenceSpan ?? provider.addressSpan,
                        item == nil
                            ? "`\(provider.id)` does not list the base scope `\(scope)`" : "`\(provider.id)` does not list this scope",
                        label: near.map { "did you mean \(OnlineContext.shown($0))?" },
                        help:
                            "it lists \(supported.prefix(12).map(OnlineContext.shown).joined(separator: ", "))\(supported.count > 12 ? " and more" : "")"
                    )
                }
            }
        })
}
