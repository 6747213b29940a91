import Providers
import Config
import Diagnostics

extension Rule {
    static let noAccessRule = Rule(
        .noAccessRule, what: "A provider admits anyone in the world, and nothing narrows who may pass.",
        why: "Signing in proves who somebody is, not that they belong. Anyone can make an account there.",
        instead:
            "Give every route that is not public a rule, the one for all other paths included: `emails`, `groups`, `users` or `claims`.",
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
            return context.providers.compactMap { provider in
                guard provider.configuration.enabled, provider.settings?.admitsAnyone ?? false else { return nil }
                let open = context.routes.first { !narrows($0.access, provider.id) }
                guard context.hasUnmatchedRequests || open != nil else { return nil }
                return Diagnostic(
                    .noAccessRule, at: provider.idSpan,
                    "anyone in the world can sign in with `\(provider.id)`, and nothing narrows who may pass",
                    label: "admits everyone",
                    help: open == nil
                        ? "add a last route `path: /**` with a rule: paths that no route matches ask for a sign-in only"
                        : "add `emails`, `groups`, `users` or `claims` to every route that is not public",
                    related: open.map { [RelatedPlace("this route lets them pass", at: $0.object.span)] } ?? [])
            }
        })

    /// Whether a rule keeps out some of those who signed in with the provider. A public route asks nobody.
    private static func narrows(_ rule: AccessRule, _ provider: String) -> Bool {
        switch rule {
        case .public: return true
        case .authenticated: return false
        case .anyOf(let rules): return rules.allSatisfy { narrows($0, provider) }
        case .all(let conditions):
            if conditions.emails != nil || conditions.groups != nil || conditions.users != nil || conditions.claims != nil { return true }
            if let providers = conditions.providers, !providers.contains(provider) { return true }
            return conditions.anyOf.map { $0.allSatisfy { narrows($0, provider) } } ?? false
        }
    }
}
