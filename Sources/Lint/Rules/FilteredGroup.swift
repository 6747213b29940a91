import Config
import Diagnostics
import Providers
import YAML

extension RuleName {
    static let filteredGroup = RuleName("filtered-group", .warning)
}

extension Rule {
    static let filteredGroup = Rule(
        .filteredGroup, what: "A rule requires a group that every provider's `groups` setting filters out or renames.",
        why: "The gateway applies `groups.keep` and `groups.rename` at sign-in. Rules see the result, so this condition matches no user.",
        instead: "Add the group to `keep`, or require its new name.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                groups: { keep: ["eng-*"], rename: { 8f1c2d3e: admins } }
            routes:
              - path: /sales/**
                access: { groups: [«sales»] }
              - path: /**
                access: { groups: [eng-core] }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                groups: { keep: ["eng-*", sales], rename: { 8f1c2d3e: admins } }
            routes:
              - path: /sales/**
                access: { groups: [sales, admins] }
              - path: /**
                access: { groups: [eng-core] }
            """),
        check: { context in
            let providers = context.providers.filter(\.configuration.enabled)
            let rules = providers.compactMap { $0.settings?.groupRules }
            // A provider that could not be read may provide any group.
            guard !rules.isEmpty, rules.count == providers.count else { return [] }
            return context.accessRules.flatMap { _, object in
                (object["groups"]?.oneOrMany ?? []).compactMap { item -> Diagnostic? in
                    guard let name = item.text, !rules.contains(where: { $0.canGive(name) }) else { return nil }
                    let renamed = rules.compactMap { $0.rename[name] }.first
                    return Diagnostic(
                        .filteredGroup, at: item.referenceSpan,
                        "no user has the group `\(name)`: the providers' `groups` settings remove or rename it",
                        label: renamed == nil ? "not in `keep`" : "renamed",
                        help: renamed.map { "write `\($0)`, its new name" } ?? "add it to `groups.keep` of the provider")
                }
            }
        })
}

extension GroupRules {
    /// Returns whether a user can have a group of this name once the rules are applied.
    fileprivate func canGive(_ name: String) -> Bool {
        if self.rename.values.contains(name) { return true }
        return self.rename[name] == nil && (self.keep?.contains { Self.matches(name, pattern: $0) } ?? true)
    }
}
