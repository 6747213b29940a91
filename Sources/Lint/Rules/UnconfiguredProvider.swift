import Config
import Diagnostics

extension Rule {
    static let unconfiguredProvider = Rule(
        .unconfiguredProvider, what: "An access rule asks for providers none of which is configured and enabled.",
        why: "Nobody can have signed in with one, so nobody passes.",
        instead: "Write the `id` of a configured provider, or enable it.",
        bad: Example(
            """
            routes: [{ path: /**, access: { providers: «[»oidc.acne] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { providers: [oidc.acme] } }]
            """),
        check: { context in
            guard context.root["providers"]?.list?.contains(where: \.isUnreadable) != true, !context.providers.isEmpty else { return [] }
            let enabled = context.providers.filter(\.configuration.enabled).map(\.id)
            let disabled = context.providers.filter { !$0.configuration.enabled }
            return context.accessRules.compactMap { _, rule in
                guard let item = rule["providers"], let names = item.list?.compactMap(\.text), !names.isEmpty,
                    !names.contains(where: enabled.contains)
                else { return nil }
                let near = names.lazy.compactMap { Spelling.nearest(to: $0, among: enabled) }.first
                let off = disabled.first { names.contains($0.id) }
                return Diagnostic(
                    .unconfiguredProvider, at: item.span,
                    off == nil ? "no provider of this rule is configured" : "no provider of this rule is enabled",
                    label: near.map { "did you mean `\($0)`?" } ?? "nobody passes",
                    help: off == nil
                        ? "configured are \(enabled.map { "`\($0)`" }.joined(separator: ", "))"
                        : "remove `enabled: false`, or name another provider",
                    related: off.map { [RelatedPlace("disabled", at: $0.object["enabled"]?.span ?? $0.idSpan)] } ?? [])
            }
        })
}
