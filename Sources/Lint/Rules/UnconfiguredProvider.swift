import Config
import Diagnostics

extension RuleName {
    static let unconfiguredProvider = RuleName("unconfigured-provider", .warning)
}

extension Rule {
    static let unconfiguredProvider = Rule(
        .unconfiguredProvider, what: "An access rule lists only providers that are not configured or not enabled.",
        why: "No user can sign in with any of them, so no user passes.",
        instead: "Write the `id` of a configured provider, or enable the provider.",
        bad: Example(
            """
            routes: [{ path: /**, access: { providers: [«oidc.acne»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { providers: [oidc.acme] } }]
            """),
        check: { context in
            guard context.root["providers"]?.list?.contains(where: \.isUnreadable) != true,
                !context.providers.isEmpty || !context.ownProviders.isEmpty
            else { return [] }
            let names = ProviderNames(context)
            return context.accessRules.compactMap { _, rule in
                guard let items = rule["providers"]?.list?.filter({ $0.text != nil }), let first = items.first,
                    !items.contains(where: { names.isEnabled($0.text ?? "") })
                else { return nil }
                // Report the entry with the most useful hint.
                let disabled = items.first { names.disabled($0.text ?? "") != nil }
                let near = items.lazy.prefix(10).compactMap { item in names.nearest(to: item.text ?? "").map { (item: item, name: $0) } }
                    .first
                let off = disabled.flatMap { names.disabled($0.text ?? "") }
                return Diagnostic(
                    .unconfiguredProvider, at: (disabled ?? near?.item ?? first).referenceSpan,
                    off == nil ? "no provider of this rule is configured" : "no provider of this rule is enabled",
                    label: off == nil ? near.map { "did you mean `\($0.name)`?" } ?? "no user passes" : "no user passes",
                    help: off == nil ? names.listed : "remove `enabled: false`, or name another provider",
                    related: off.map { [RelatedPlace("disabled", at: $0)] } ?? [])
            }
        })
}
