import Config
import Diagnostics

extension RuleName {
    static let unusedClientSecret = RuleName("unused-client-secret", .warning)
}

extension Rule {
    static let unusedClientSecret = Rule(
        .unusedClientSecret, what: "`clientAuthentication` does not use the configured client secret.",
        why: "A secret that is never used can only leak. Often `clientAuthentication` has the wrong value.",
        instead: "Remove `clientSecret`, or `clientAuthentication`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                «clientSecret»: ${env:ACME_CLIENT_SECRET}
                clientAuthentication: none
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientAuthentication: none
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let key = provider.object.keySpan("clientSecret") else { return nil }
                switch provider.configuration.clientAuthentication {
                case .some(.none), .some(.privateKeyJWT): break
                case .some(.basic), .some(.post), nil: return nil
                }
                return Diagnostic(
                    .unusedClientSecret, at: key, "`clientSecret` is not used", label: "unused",
                    help: "remove it, or change `clientAuthentication`",
                    related: provider.object["clientAuthentication"].map { [RelatedPlace("this needs no secret", at: $0.span)] } ?? [])
            }
        })
}
