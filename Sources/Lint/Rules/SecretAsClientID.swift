import Primitives
import Config
import Diagnostics

extension RuleName {
    static let secretAsClientID = RuleName("secret-as-client-id")
}

extension Rule {
    static let secretAsClientID = Rule(
        .secretAsClientID, what: "`clientID` contains a secret.",
        why: "The client ID is part of the sign-in URL. A secret there is visible to every user and ends up in browser histories and logs.",
        instead:
            "Create a new secret in the provider's console, because this one may already be known. Then write the client ID under `clientID`.",
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
                // With a local provider, the URL stays on this machine.
                let isTrial = provider.configuration.issuer.flatMap { AbsoluteURL($0, allowing: .all) }?.isLoopback ?? false
                return Diagnostic(
                    .secretAsClientID, at: item.referenceSpan,
                    isSame ? "`clientID` is the client secret" : "`clientID` looks like a secret",
                    label: "visible to every user",
                    help: "write the client ID here, and create a new secret in the provider's console",
                    related: isSame ? provider.object["clientSecret"].map { [RelatedPlace("the secret", at: $0.referenceSpan)] } ?? [] : [],
                    severity: isTrial ? .warning : nil)
            }
        })

    /// Prefixes of the secrets of some providers.
    private static let beginnings = [
        "GOCSPX-", "ghp_", "gho_", "ghs_", "github_pat_", "gloas-", "glpat-", "xoxb-", "xoxp-", "sk_live_", "-----BEGIN",
    ]
}
