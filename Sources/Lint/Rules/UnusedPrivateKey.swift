import Config
import Diagnostics

extension RuleName {
    static let unusedPrivateKey = RuleName("unused-private-key", .warning)
}

extension Rule {
    static let unusedPrivateKey = Rule(
        .unusedPrivateKey, what: "`clientAuthentication` does not use the configured private key.",
        why: "A key that is never used can only leak. Often, `clientAuthentication` should be `private_key_jwt`.",
        instead: "Write `clientAuthentication: private_key_jwt`, or remove the key.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                «privateKey»: ${env:ACME_PRIVATE_KEY}
                clientAuthentication: client_secret_basic
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                clientAuthentication: client_secret_basic
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard provider.isGeneric, let key = provider.object.keySpan("privateKey") else { return nil }
                switch provider.configuration.clientAuthentication {
                case .some(.basic), .some(.post), .some(.none): break
                case .some(.privateKeyJWT), nil: return nil
                }
                return Diagnostic(
                    .unusedPrivateKey, at: key, "`privateKey` is not used", label: "unused",
                    help: "write `clientAuthentication: private_key_jwt`, or remove the key",
                    related: provider.object["clientAuthentication"].map { [RelatedPlace("this needs no key", at: $0.span)] } ?? [])
            }
        })
}
