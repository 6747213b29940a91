import Config
import Diagnostics
import Providers

extension RuleName {
    static let missingClientSecret = RuleName("missing-client-secret")
}

extension Rule {
    static let missingClientSecret = Rule(
        .missingClientSecret, what: "A provider has neither a client secret nor another way to authenticate the client.",
        why: "The provider would reject the code exchange at the first sign-in.",
        instead:
            "Add `clientSecret` with a reference such as `${env:CLIENT_SECRET}`. For a public client, set `clientAuthentication: none`; the gateway always uses PKCE.",
        bad: Example(
            """
            providers:
              - «id»: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
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
                let object = provider.object
                guard provider.preset?.needsSecret ?? false, object.isPlainlyMissing("clientSecret"), object.isPlainlyMissing("privateKey")
                else {
                    return nil
                }
                if object["clientAuthentication"]?.isUnreadable ?? false { return nil }
                switch provider.configuration.clientAuthentication {
                case .some(.none), .some(.privateKeyJWT): return nil
                case .some(.basic), .some(.post), nil: break
                }
                return Diagnostic(
                    .missingClientSecret, at: object.span, "`\(provider.id)` has no `clientSecret`",
                    help: "add `clientSecret: ${env:NAME}`; for a public client, set `clientAuthentication: none`")
            }
        })
}
