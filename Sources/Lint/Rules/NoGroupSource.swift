import Config
import Diagnostics
import Providers

extension RuleName {
    static let noGroupSource = RuleName("no-group-source", .warning)
}

extension Rule {
    static let noGroupSource = Rule(
        .noGroupSource, what: "A rule requires a group, but its providers send no groups.",
        why:
            "A user's groups come from a claim or an API of the provider. Google, for example, has neither. GitHub lists teams only with the scope `read:org`. The rule rejects every user.",
        instead:
            "Use `emails`, `claims` or `users`, request the scope that the finding names, or map `claims.groups` to a claim that the provider sends.",
        bad: Example(
            """
            providers:
              - id: google.com
                clientID: 1234-abcd.apps.googleusercontent.com
                clientSecret: ${env:GOOGLE_CLIENT_SECRET}
            routes: [{ path: /**, access: { groups: «[»staff] } }]
            """),
        good: Example(
            """
            providers:
              - id: google.com
                clientID: 1234-abcd.apps.googleusercontent.com
                clientSecret: ${env:GOOGLE_CLIENT_SECRET}
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            let providers = context.providers.filter(\.configuration.enabled)
            let own = context.ownProviders.filter(\.isEnabled)
            guard context.root["providers"]?.list?.contains(where: \.isUnreadable) != true else { return [] }
            return context.accessRules.compactMap { _, rule in
                guard let groups = rule["groups"], !groups.oneOrMany.isEmpty else { return nil }
                let allowed = rule["providers"]?.list?.compactMap(\.text)
                let met = providers.filter { provider in allowed?.contains(provider.id) ?? true }
                // `password` and `anonymous` have no groups.
                let metOwn = own.filter { provider in allowed?.contains(provider.id) ?? true }
                guard let first = met.first?.id ?? metOwn.first?.id, met.allSatisfy({ $0.settings?.sendsGroups == false }) else {
                    return nil
                }
                let scope = met.lazy.compactMap { provider in provider.preset?.groupScope.map { (provider.id, $0) } }.first
                return Diagnostic(
                    .noGroupSource, at: groups.span,
                    met.count + metOwn.count == 1
                        ? "`\(first)` sends no groups: no user passes this rule" : "no provider of this rule sends groups",
                    label: "no user has a group",
                    help: scope.map { "add `scopes: [\($1)]` to `\($0)`, or use `emails`, `claims` or `users`" }
                        ?? "use `emails`, `claims` or `users`, or map `claims.groups` to a claim that holds groups",
                    related: (met.map(\.idSpan) + metOwn.map(\.idSpan)).map { RelatedPlace("this provider", at: $0) })
            }
        })
}
