import Config
import Diagnostics

extension Rule {
    static let secretAsClientID = Rule(
        .secretAsClientID, what: "A secret stands where the client ID belongs.",
        why: "The client ID is part of every sign-in's URL: the secret would be shown to every visitor, and be in every history and log.",
        instead: "Make a new secret in the provider's console, since this one may be known already, and put each value in its place.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: «${env:ACME_CLIENT_SECRET}»
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["clientID"], let text = item.text, !text.isEmpty, !Placeholder.matches(text) else {
                    return nil
                }
                let isSame = provider.configuration.clientSecret?.exposed == text
                guard isSame || beginnings.contains(where: { text.hasPrefix($0) && text.utf8.count >= 20 }) else { return nil }
                // A trial on one machine shows it to nobody.
                let isTrial = provider.configuration.issuer.flatMap { AbsoluteURL($0) }?.isLoopback ?? false
                return Diagnostic(
                    .secretAsClientID, at: item.referenceSpan,
                    isSame ? "`clientID` is the client secret" : "`clientID` looks like a secret",
                    label: "would be shown to every visitor",
                    help: "put the client ID here, and make a new secret in the provider's console",
                    related: isSame ? provider.object["clientSecret"].map { [RelatedPlace("the secret", at: $0.referenceSpan)] } ?? [] : [],
                    severity: isTrial ? .warning : nil)
            }
        })

    /// How secrets of some providers begin.
    private static let beginnings = [
        "GOCSPX-", "ghp_", "gho_", "ghs_", "github_pat_", "gloas-", "glpat-", "xoxb-", "xoxp-", "sk_live_", "-----BEGIN",
    ]
}
