import Config
import Diagnostics

extension Rule {
    static let endpointHost = Rule(
        .endpointHost, what: "An endpoint that receives secrets is not on the issuer's domain.",
        why: "The client secret and every code go to it. A wrong host there, from another tenant or a copied example, gives them away.",
        instead:
            "Remove the endpoint: discovery knows it. If the provider does use another domain, say so in a `# gateway-ignore` comment.",
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
                guard provider.isGeneric, let issuer = provider.configuration.issuer, let home = AbsoluteURL(issuer)?.host,
                    let endpoints = provider.object["endpoints"]?.object
                else { return [] }
                return ["token", "userinfo", "jwks", "revocation"].compactMap { key in
                    guard let item = endpoints[key], let text = item.text, let host = AbsoluteURL(text)?.host,
                        site(of: host) != site(of: home), !(AbsoluteURL.isLoopback(host: host) && AbsoluteURL.isLoopback(host: home))
                    else { return nil }
                    return Diagnostic(
                        .endpointHost, at: item.referenceSpan, "this endpoint is on another domain than the issuer",
                        label: "receives what is secret",
                        help: "remove it and let discovery find it, or correct the host",
                        related: provider.object["issuer"].map { [RelatedPlace("the issuer", at: $0.span)] } ?? [])
                }
            }
        })

    /// The last two labels, three below a public suffix of two; an address is itself.
    private static func site(of host: String) -> String {
        let labels = host.split(separator: ".")
        guard labels.count > 2, IPNetwork.address(host) == nil else { return host }
        let two = labels.suffix(2).joined(separator: ".")
        return PublicSuffixes.contains(two) ? labels.suffix(3).joined(separator: ".") : two
    }
}
