import Config
import Diagnostics
import Providers

extension Rule {
    static let unprovenBearer = Rule(
        .unprovenBearer, what: "Tokens are taken from a provider of plain OAuth 2.0 that nothing proves the audience of.",
        why:
            "An access token says who its owner is, not for which app it was issued. Any other app that the person signs in to gets one just like it, and could use it here in their name.",
        instead:
            "Take ID tokens of an OpenID Connect provider, or have the provider asked with `accessTokens: { audience: …, introspection: true }` where it has an introspection endpoint. `session.exchange` takes ID tokens only.",
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
                            ? "`\(name)` issues no ID tokens, which are all that is exchanged"
                            : "nothing proves for whom the tokens of `\(name)` were issued",
                        label: use.isExchange ? "no ID tokens" : "anybody's app gets such tokens",
                        help: use.isExchange
                            ? "name an OpenID Connect provider"
                            : "add `accessTokens: { audience: …, introspection: true }` to it, or name an OpenID Connect provider",
                        related: [RelatedPlace("plain OAuth 2.0", at: provider.idSpan)])
                }
            }
        })
}
