import Config
import Diagnostics

extension RuleName {
    static let placeholderValue = RuleName("placeholder-value")
}

extension Rule {
    static let placeholderValue = Rule(
        .placeholderValue, what: "A credential still has the placeholder value of a template.",
        why: "No provider accepts a placeholder. A placeholder used as a secret is publicly known.",
        instead: "Write the value that the provider assigned.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: «your-client-id»
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
            let public_ = context.providers.flatMap { provider in
                ["clientID", "keyID", "teamID", "tenant", "realm"].compactMap { key in provider.object[key].map { (key: key, item: $0) } }
            }
            let credentials = (public_ + context.secrets).compactMap { key, item -> Diagnostic? in
                guard let text = item.text, Placeholder.matches(text) else { return nil }
                return finding(
                    key, item,
                    help: key == "admin.token" ? "create one with `gateway keygen session`" : "write the value from the provider's console")
            }
            return credentials
                + context.addresses.compactMap { key, item in
                    guard let text = item.expanded?.text, Placeholder.hasPlaceholderHost(text) else { return nil }
                    return finding(key, item, help: "write your own address")
                }
        })

    private static func finding(_ key: String, _ item: Item, help: String) -> Diagnostic {
        Diagnostic(.placeholderValue, at: item.referenceSpan, "`\(key)` is a placeholder", label: "not a real value", help: help)
    }
}

extension LintContext {
    /// Every URL and e-mail address that a starter configuration can leave open, with its key.
    fileprivate var addresses: [(key: String, item: Item)] {
        var found = [server?["publicURL"]].compactMap(\.self).map { (key: "publicURL", item: $0) }
        found += upstreamItems.map { ("upstream", $0.item) }
        for provider in providers {
            found += ["issuer", "baseURL"].compactMap { key in provider.object[key].map { (key, $0) } }
            found += (provider.object["endpoints"]?.object?.members ?? []).map { ($0.name, $0.item) }
        }
        found += hooks.compactMap { _, hook in hook["url"].map { ("url", $0) } }
        return found + accessRules.flatMap { _, rule in (rule["emails"]?.list ?? []).map { ("emails", $0) } }
    }
}
