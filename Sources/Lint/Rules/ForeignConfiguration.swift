import Diagnostics

extension Rule {
    static let foreignConfiguration = Rule(
        .foreignConfiguration, what: "The file configures oauth2-proxy or Authelia, not this gateway.",
        why: "The gateway reads no other product's format. Separate findings about each of its keys would hide this cause.",
        instead:
            "Write a new file with `gateway init` and carry the values over. From oauth2-proxy: `upstreams` becomes `upstream`, `redirect_url` becomes `server.publicURL`, `client_id` becomes `providers[].clientID`, `client_secret` becomes `providers[].clientSecret`, `oidc_issuer_url` becomes `providers[].issuer`, `email_domains` and `allowed_groups` become `routes[].access`, `skip_auth_routes` become routes with `access: public`. From Authelia: the rules under `access_control` become `routes`. The gateway has no users of its own; configure Authelia as an OpenID Connect provider, `oidc.authelia`.",
        bad: Example(
            """
            «upstreamConfig»:
              upstreams:
                - { id: app, path: /, uri: http://127.0.0.1:8080 }
            providers:
              - { id: google, provider: google, clientID: acme-web }
            """, whole: true),
        good: Example(
            """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            providers:
              - id: google.com
                clientID: acme-web
                clientSecret: ${env:GOOGLE_CLIENT_SECRET}
                customParameters: { hd: example.com }
            session: { keys: ["${file:./session.key}"] }
            """, whole: true))
}
