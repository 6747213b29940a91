import Config
import Diagnostics
import Providers

extension RuleName {
    static let codeFlowUnsupported = RuleName("code-flow-unsupported", .warning)
}

extension Rule {
    static let codeFlowUnsupported = Rule(
        .codeFlowUnsupported, what: "With `--online`: the provider does not offer the authorization code flow.",
        why: "The gateway supports no other flow. The provider would answer with `unsupported_response_type`.",
        instead: "Allow the code flow for the client in the provider's console.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.metadata["response_types_supported"] = "[\"id_token\"]" },
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        online: { context in
            context.providers.compactMap { provider in
                guard let types = provider.metadata?.list("response_types_supported"), !types.contains("code") else { return nil }
                return Diagnostic(
                    .codeFlowUnsupported, at: provider.addressSpan, "`\(provider.id)` does not offer the response type `code`",
                    label: "the gateway supports no other flow",
                    help: "allow the authorization code flow in the provider's console")
            }
        })
}
