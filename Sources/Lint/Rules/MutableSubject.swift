import Config
import Diagnostics

extension RuleName {
    static let mutableSubject = RuleName("mutable-subject", .warning)
}

extension Rule {
    static let mutableSubject = Rule(
        .mutableSubject, what: "`claims.subject` names a claim that can change or that users can edit.",
        why:
            "The subject identifies the user. A user who receives a former colleague's address or login name, or enters it in a profile, would be signed in as that colleague.",
        instead: "Remove `claims.subject` (`sub` is the default), or name a claim that never changes, such as `oid` or `id`.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                claims: { subject: «email» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                claims: { subject: sub }
            """),
        check: { context in
            let mutable: Set<String> = [
                "email", "mail", "preferred_username", "username", "login", "name", "upn", "nickname", "unique_name", "displayName",
            ]
            return context.providers.compactMap { provider in
                guard let item = provider.object["claims"]?.object?["subject"], let claim = item.text, mutable.contains(claim) else {
                    return nil
                }
                return Diagnostic(
                    .mutableSubject, at: item.referenceSpan, "`\(claim)` can change, and another user may receive it later",
                    label: "does not identify a user permanently",
                    help: "remove it, or name a claim that never changes, such as `sub`, `oid` or `id`")
            }
        })
}
