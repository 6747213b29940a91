import Providers
import Config
import Diagnostics

extension RuleName {
    static let noAccessRule = RuleName("no-access-rule", .warning)
}

extension Rule {
    static let noAccessRule = Rule(
        .noAccessRule, what: "Anyone can create an account at a provider, and no rule limits access.",
        why: "A sign-in proves who the user is, not that the user should have access.",
        instead:
            "Add `emails`, `groups`, `users`, `claims`, `networks` or `condition` to every route that is not public, and to a last route for all other paths.",
        bad: Example(
            """
            providers:
              - id: «github.com»
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: github.com
                clientID: Iv1.8a61f9b3a7aba766
                clientSecret: ${env:GITHUB_CLIENT_SECRET}
            routes:
              - path: /**
                access: { emails: ["*@example.com"] }
            """),
        check: { context in
            let isReadable = context.root["routes"]?.list != nil || context.root.isPlainlyMissing("routes")
            guard isReadable, context.routes.allSatisfy(\.isReadable) else { return [] }
            // Only users whose account an operator created sign in then.
            guard !context.signUpIsClosed else { return [] }
            let open =
                context.providers.filter { $0.configuration.enabled && $0.settings?.admitsAnyone ?? false }.map {
                    (id: $0.id, span: $0.idSpan)
                }
                + context.enabledOwnProviders.filter { context.accounts != nil && $0.signsUp }.map { (id: $0.id, span: $0.idSpan) }
            return open.compactMap { id, span in
                let open = context.routes.first { !narrows($0.access, id, $0, context) }
                guard context.hasUnmatchedRequests || open != nil else { return nil }
                return Diagnostic(
                    .noAccessRule, at: span,
                    "anyone can sign in with `\(id)`, and no rule limits access",
                    label: "admits everyone",
                    help: open == nil
                        ? "add a last route `path: /**` with a rule, because paths without a route only require sign-in"
                        : "add `emails`, `groups`, `users`, `claims`, `networks` or `condition` to every route that is not public",
                    related: open.map { [RelatedPlace("this route admits every signed-in user", at: $0.object.span)] } ?? [])
            }
        })

    /// Returns whether a rule refuses some of the users who signed in with the provider. Public routes are not affected.
    private static func narrows(_ rule: AccessRule, _ provider: String, _ route: LintContext.Route, _ context: LintContext) -> Bool {
        switch rule {
        case .public: return true
        case .authenticated: return false
        case .anyOf(let rules): return rules.allSatisfy { narrows($0, provider, route, context) }
        case .all(let conditions):
            if conditions.emails != nil || conditions.groups != nil || conditions.users != nil || conditions.claims != nil { return true }
            if conditions.networks != nil { return true }
            if let text = conditions.condition {
                // A condition that reads only what every user can send limits no user.
                let condition = context.conditions.first { $0.route === route && $0.item.text == text }
                if let condition, !condition.isOpenToEveryone, !condition.isAlwaysTrue { return true }
            }
            if let providers = conditions.providers, !providers.contains(provider) { return true }
            return conditions.anyOf.map { $0.allSatisfy { narrows($0, provider, route, context) } } ?? false
        }
    }
}
