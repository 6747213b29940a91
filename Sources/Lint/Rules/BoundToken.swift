import Config
import Diagnostics

extension RuleName {
    static let boundToken = RuleName("bound-token", .warning)
}

extension Rule {
    static let boundToken = Rule(
        .boundToken, what: "A header carries the access token of a provider whose access tokens are bound to the gateway's key.",
        why:
            "With `dpop: required`, each use of the access token needs a proof that only the gateway can make (RFC 9449). The app cannot use the token, so the gateway does not send the header.",
        instead: "Leave `dpop` at `auto`: the gateway then does not bind access tokens that a header carries. Or remove the header.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                dpop: required
            routes: [{ path: /**, requestHeaders: { set: { Authorization: «"Bearer {{ accessToken }}"» } } }]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                dpop: required
            routes: [{ path: /**, requestHeaders: { set: { X-User-Mail: "{{ email }}" } } }]
            """),
        check: { context in
            guard let provider = context.bindingProvider, let place = provider.object["dpop"] else { return [] }
            return context.requestTemplates.compactMap { name, item in
                guard item.text?.contains("accessToken") == true, LintContext.token(in: item) == "accessToken" else { return nil }
                return Diagnostic(
                    .boundToken, at: item.referenceSpan, "`\(name)` is never sent for sign-ins with `\(provider.id)`",
                    label: "its access tokens are bound to the gateway's key", help: "remove `dpop: required`, or remove the header",
                    related: [RelatedPlace("bound here", at: place.span)])
            }
        })
}
