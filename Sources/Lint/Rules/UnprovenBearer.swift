import Config
import Diagnostics
import Providers

extension RuleName {
    static let unprovenBearer = RuleName("unproven-bearer")
}

extension Rule {
    static let unprovenBearer = Rule(
        .unprovenBearer,
        what: "`bearer` or `session.exchange` accepts tokens of a plain OAuth 2.0 provider without checking their audience.",
        why:
            "An access token identifies its user, but not the app it was issued to. Any other app that the user signs in to receives such a token, and could use it to access this app as that user.",
        instead:
            "Accept ID tokens of an OpenID Connect provider instead. If the provider has an introspection endpoint, set `accessTokens: { audience: …, introspection: true }`. `session.exchange` accepts ID tokens only.",
        bad: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
            routes: [{ path: /**, access: { emails: [ada@example.com] }, bearer: { providers: [«github.com»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, bearer: { providers: [oidc.acme] } }]
            """),
        check: { context in
            BearerUse.all(context).flatMap { use in
                use.names.compactMap { name, item in
                    guard let provider = context.providers.first(where: { $0.id == name }), provider.preset?.kind == .oauth2,
                        use.isExchange || provider.configuration.accessTokens?.introspection != true
                    else { return nil }
                    return Diagnostic(
                        .unprovenBearer, at: item.referenceSpan,
                        use.isExchange
                            ? "`\(name)` issues no ID tokens, and `session.exchange` accepts only those"
                            : "the audience of `\(name)`'s tokens is not checked",
                        label: use.isExchange ? "no ID tokens" : "accepts tokens issued to any app",
                        help: use.isExchange
                            ? "name an OpenID Connect provider"
                            : "add `accessTokens: { audience: …, introspection: true }` to it, or name an OpenID Connect provider",
                        related: [RelatedPlace("plain OAuth 2.0", at: provider.idSpan)])
                }
            }
        })
}
