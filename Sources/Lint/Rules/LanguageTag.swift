import Config
import Diagnostics
import YAML

extension RuleName {
    static let languageTag = RuleName("language-tag", .warning)
}

extension Rule {
    static let languageTag = Rule(
        .languageTag, what: "A language tag contains an underscore.",
        why: "OpenID Connect uses BCP 47 tags such as `fr-CA`. Providers ignore `fr_CA`, the notation of operating systems.",
        instead: "Write a hyphen instead of the underscore.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { ui_locales: «fr_CA» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { ui_locales: fr-CA fr }
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["customParameters"]?.map ?? []).compactMap { entry -> Diagnostic? in
                    guard ["ui_locales", "claims_locales"].contains(entry.name), let text = entry.item.text, text.contains("_") else {
                        return nil
                    }
                    let better = text.replacing("_", with: "-")
                    let canFix =
                        entry.item.expanded?.isLiteral == true && entry.item.node.anchor == nil && entry.item.node.scalar?.style == .plain
                    return Diagnostic(
                        .languageTag, at: entry.item.referenceSpan, "language tags use hyphens, not underscores",
                        label: "ignored by providers",
                        help: "write `\(better)`", fix: canFix ? Fix(safe: true, [.init(replacing: entry.item.span, with: better)]) : nil)
                }
            }
        })
}
