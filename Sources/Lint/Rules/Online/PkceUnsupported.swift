import Config
import Diagnostics
import Providers

extension RuleName {
    static let pkceUnsupported = RuleName("pkce-unsupported", .warning)
}

extension Rule {
    static let pkceUnsupported = Rule(
        .pkceUnsupported, what: "With `--online`: the provider does not announce support for PKCE with S256.",
        why:
            "The gateway sends the challenge anyway. If the provider ignores it, an attacker with the client secret can use stolen codes (RFC 7636).",
        instead:
            "Enable PKCE with S256 at the provider. If the provider supports it without announcing it, say so in a `# gateway-ignore` comment.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample { $0.metadata["code_challenge_methods_supported"] = "[\"plain\"]" },
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
                guard let metadata = provider.metadata else { return nil }
                let methods = metadata.list("code_challenge_methods_supported")
                guard methods?.contains("S256") != true else { return nil }
                return Diagnostic(
                    .pkceUnsupported, at: provider.addressSpan,
                    methods == nil
                        ? "the discovery document of `\(provider.id)` does not mention PKCE"
                        : "`\(provider.id)` does not support PKCE with S256",
                    label: "stolen codes can be used",
                    help: "enable PKCE at the provider, with `S256` in `code_challenge_methods_supported`")
            }
        })
}
