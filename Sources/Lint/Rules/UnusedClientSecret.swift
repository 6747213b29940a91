import Config
import Diagnostics

extension Rule {
    static let unusedClientSecret = Rule(
        .unusedClientSecret, what: "A client secret is given that `clientAuthentication` never uses.",
        why: "A secret that nothing needs can only leak; or the client authentication is not the one that was meant.",
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
                    .unusedClientSecret, at: key, "`clientSecret` is never used", label: "unused",
                    help: "remove it, or change `clientAuthentication`",
                    related: provider.object["clientAuthentication"].map { [RelatedPlace("this needs no secret", at: $0.span)] } ?? [])
            }
        })
}
