import Config
import Diagnostics
import Providers
import YAML

extension Rule {
    static let issuerMismatch = Rule(
        .issuerMismatch, what: "With `--online`: the provider's own name for itself is not the configured issuer, byte for byte.",
        why:
            "ID tokens carry the former, and a token from another issuer is refused (OpenID Connect Discovery 1.0 section 4.3): every sign-in would fail.",
        instead: "Write the issuer exactly as the provider does, trailing slash included.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: «https://auth.example.com/»
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        badAnswers: OnlineExample(),
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
                guard let expected = provider.settings.issuer, let issuer = provider.metadata?.issuer, issuer != expected,
                    !provider.settings.issuerAliases.contains(issuer),
                    !(provider.settings.tenantIssuers?.admitsMetadata(issuer) ?? false)
                else { return nil }
                let item = provider.provider.object["issuer"]
                let isWritten = item?.expanded?.isLiteral == true && item?.node.anchor == nil && YAMLPrinter.scalar(issuer) == issuer
                return Diagnostic(
                    .issuerMismatch, at: provider.addressSpan,
                    "the provider calls itself \(OnlineContext.shown(issuer)), and the configuration calls it \(OnlineContext.shown(expected))",
                    label: "not the same, byte for byte",
                    help: item == nil
                        ? "correct the address of the provider" : "write `issuer: \(issuer)` if this is the provider that is meant",
                    fix: isWritten ? item.map { Fix(safe: false, [.init(replacing: $0.span, with: issuer)]) } : nil)
            }
        })
}
