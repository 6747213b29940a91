import Config
import Diagnostics
import Providers

extension RuleName {
    static let responseModeUnsupported = RuleName("response-mode-unsupported", .warning)
}

extension Rule {
    static let responseModeUnsupported = Rule(
        .responseModeUnsupported, what: "With `--online`: the provider does not offer the configured `responseMode`.",
        why: "The provider would show an error page, or return the code in a way that the gateway does not expect.",
        instead: "Remove `responseMode`, or write a mode that the provider offers.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                responseMode: «form_post»
            """),
        badAnswers: OnlineExample { $0.metadata["response_modes_supported"] = "[\"query\", \"fragment\"]" },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                responseMode: form_post
            """),
        online: { context in
            context.providers.compactMap { provider in
                let mode = provider.settings.responseMode.rawValue
                guard let modes = provider.metadata?.list("response_modes_supported"), !modes.contains(mode) else { return nil }
                return Diagnostic(
                    .responseModeUnsupported, at: provider.provider.object["responseMode"]?.referenceSpan ?? provider.addressSpan,
                    "`\(provider.id)` does not offer the response mode `\(mode)`", label: "not offered",
                    help: "it offers \(modes.prefix(10).map(OnlineContext.shown).joined(separator: ", "))")
            }
        })
}
