import Config
import Diagnostics
import Providers
import YAML

extension RuleName {
    static let issuerMismatch = RuleName("issuer-mismatch")
}

extension Rule {
    static let issuerMismatch = Rule(
        .issuerMismatch, what: "With `--online`: the issuer in the discovery document differs from the configured one.",
        why:
            "ID tokens contain the provider's issuer, and the gateway rejects tokens from another issuer (OpenID Connect Discovery 1.0 section 4.3). Every sign-in would fail.",
        instead: "Write the issuer exactly as in the provider's discovery document, including a trailing slash.",
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
                    "the provider's issuer is \(OnlineContext.shown(issuer)), but the configured issuer is \(OnlineContext.shown(expected))",
                    label: "not identical",
                    help: item == nil
                        ? "correct the provider's address" : "write `issuer: \(issuer)` if this is the right provider",
                    fix: isWritten ? item.map { Fix(safe: false, [.init(replacing: $0.span, with: issuer)]) } : nil)
            }
        })
}
