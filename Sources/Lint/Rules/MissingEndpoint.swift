import Config
import Diagnostics
import Providers

extension RuleName {
    static let missingEndpoint = RuleName("missing-endpoint")
}

extension Rule {
    static let missingEndpoint = Rule(
        .missingEndpoint, what: "A feature needs an endpoint that is neither configured nor discovered.",
        why:
            "Plain OAuth 2.0 has no discovery. OpenID Connect providers with configured `authorization`, `token` and `jwks` endpoints use no discovery either. Without the endpoint, no user can sign in, or the gateway accepts no token.",
        instead: "Add the endpoint, or remove the setting that needs it.",
        bad: Example(
            """
            providers:
              - id: oauth2.legacy
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints:
                  authorization: https://auth.example.com/authorize
                  token: https://auth.example.com/token
                  userinfo: https://auth.example.com/user
                accessTokens: { audience: https://api.example.com, introspection: «true» }
            bearer: { providers: [oauth2.legacy] }
            """),
        good: Example(
            """
            providers:
              - id: oauth2.legacy
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints:
                  authorization: https://auth.example.com/authorize
                  token: https://auth.example.com/token
                  userinfo: https://auth.example.com/user
                  introspection: https://auth.example.com/introspect
                accessTokens: { audience: https://api.example.com, introspection: true }
            bearer: { providers: [oauth2.legacy] }
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let settings = provider.settings, settings.discoveryURL == nil,
                    settings.kind == .oauth2 || settings.endpoints.token != nil
                else { return [] }
                var findings: [Diagnostic] = []
                func report(_ item: Item?, _ key: String, _ what: String) {
                    guard let item else { return }
                    findings.append(
                        Diagnostic(
                            .missingEndpoint, at: item.referenceSpan,
                            "\(what) needs `endpoints.\(key)`, because this provider uses no discovery",
                            label: "no endpoint", help: "add `endpoints: { \(key): https://… }`"))
                }
                if provider.configuration.accessTokens?.introspection == true, settings.endpoints.introspection == nil {
                    report(provider.object["accessTokens"]?.object?["introspection"], "introspection", "introspection")
                }
                if provider.configuration.pushedAuthorization == .required, settings.endpoints.pushedAuthorization == nil {
                    report(provider.object["pushedAuthorization"], "pushedAuthorization", "`pushedAuthorization: required`")
                }
                return findings
            }
        })
}
