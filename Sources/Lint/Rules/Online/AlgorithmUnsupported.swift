import Config
import Diagnostics
import Providers

extension RuleName {
    static let algorithmUnsupported = RuleName("algorithm-unsupported", .warning)
}

extension Rule {
    static let algorithmUnsupported = Rule(
        .algorithmUnsupported,
        what: "With `--online`: the provider signs ID tokens with an algorithm that `idTokenAlgorithms` does not list.",
        why: "The gateway would reject every ID token.",
        instead: "Remove `idTokenAlgorithms`, or add the algorithm that the provider uses.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                idTokenAlgorithms: «[»PS256]
            """),
        badAnswers: OnlineExample(),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                idTokenAlgorithms: [RS256]
            """),
        online: { context in
            context.providers.compactMap { provider in
                guard let accepted = provider.settings.idTokenAlgorithms,
                    let offered = provider.metadata?.list("id_token_signing_alg_values_supported"),
                    !offered.isEmpty, !offered.contains(where: accepted.contains)
                else { return nil }
                return Diagnostic(
                    .algorithmUnsupported, at: provider.provider.object["idTokenAlgorithms"]?.referenceSpan ?? provider.addressSpan,
                    "`\(provider.id)` signs ID tokens with none of these algorithms", label: "every ID token would be rejected",
                    help: "it signs with \(offered.prefix(10).map(OnlineContext.shown).joined(separator: ", "))")
            }
        })
}
