import Primitives
import Config
import Diagnostics

extension RuleName {
    static let endpointHost = RuleName("endpoint-host", .warning)
}

extension Rule {
    static let endpointHost = Rule(
        .endpointHost, what: "An endpoint that receives secrets is not on the issuer's domain.",
        why:
            "The gateway sends the client secret and authorization codes there. If the host is wrong, for example copied from another tenant, a third party receives them.",
        instead:
            "Remove the endpoint and let discovery find it. If the provider does use another domain, give that as the reason in a `# gateway-ignore` comment.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints: { token: «https://login.example.net/token» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                endpoints: { token: https://login.example.com/token }
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard provider.isGeneric, let issuer = provider.configuration.issuer, let home = AbsoluteURL(issuer, allowing: .all)?.host,
                    let endpoints = provider.object["endpoints"]?.object
                else { return [] }
                return ["token", "userinfo", "jwks", "revocation"].compactMap { key in
                    guard let item = endpoints[key], let text = item.text, let host = AbsoluteURL(text, allowing: .all)?.host,
                        site(of: host) != site(of: home), !(AbsoluteURL.isLoopback(host: host) && AbsoluteURL.isLoopback(host: home))
                    else { return nil }
                    return Diagnostic(
                        .endpointHost, at: item.referenceSpan, "this endpoint is on another domain than the issuer",
                        label: "receives secrets",
                        help: "remove it and let discovery find it, or correct the host",
                        related: provider.object["issuer"].map { [RelatedPlace("the issuer", at: $0.span)] } ?? [])
                }
            }
        })

    /// The last two labels of a host, or three below a public suffix of two labels. An IP address is returned unchanged.
    private static func site(of host: String) -> String {
        let labels = host.split(separator: ".")
        guard labels.count > 2, NetworkAddress(host) == nil else { return host }
        let two = labels.suffix(2).joined(separator: ".")
        return PublicSuffixes.contains(two) ? labels.suffix(3).joined(separator: ".") : two
    }
}
