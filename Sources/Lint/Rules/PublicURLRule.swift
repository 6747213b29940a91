import Diagnostics

extension Rule {
    static let publicURL = Rule(
        .publicURL, what: "`publicURL` is neither an https origin nor an http origin on loopback.",
        why:
            "Redirect URIs and cookies are derived from it. Plain http would expose codes and sessions. A path or trailing slash would produce a redirect URI that is not registered at the provider.",
        instead:
            "Write the scheme and host as they appear in the user's address bar, and the port if it is not 443. This also applies behind a TLS proxy.",
        bad: Example("server: { publicURL: «http://app.example.com» }\n"), good: Example("server: { publicURL: https://app.example.com }\n")
    )
}
