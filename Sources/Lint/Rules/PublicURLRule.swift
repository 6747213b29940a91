import Diagnostics

extension Rule {
    static let publicURL = Rule(
        .publicURL, what: "`publicURL` is not an https origin, or http on loopback.",
        why:
            "Redirect URIs and cookies are made from it. Plain http would send codes and sessions in the clear; a path or a slash would make a redirect URI that nobody registered.",
        instead:
            "Write scheme and host, and the port if it is not 443: what people have in the address bar, even when a proxy in front does the TLS.",
        bad: Example("server: { publicURL: «http://app.example.com» }\n"), good: Example("server: { publicURL: https://app.example.com }\n")
    )
}
