import Config
import Diagnostics

extension RuleName {
    static let unusedKeyID = RuleName("unused-key-id", .warning)
}

extension Rule {
    static let unusedKeyID = Rule(
        .unusedKeyID, what: "`keyID` is set without a private key.",
        why:
            "`keyID` tells the provider which private key the gateway used for a signature. Without a private key, the gateway signs nothing.",
        instead: "Add `privateKey`, or remove `keyID`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                «keyID»: 2026-11
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                clientAuthentication: client_secret_post
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let key = provider.object.keySpan("keyID"), provider.object.isPlainlyMissing("privateKey"), provider.isGeneric else {
                    return nil
                }
                return Diagnostic(
                    .unusedKeyID, at: key, "`keyID` has no effect without `privateKey`", label: "unused",
                    help: "add `privateKey: ${file:…}`, or remove it")
            }
        })
}
