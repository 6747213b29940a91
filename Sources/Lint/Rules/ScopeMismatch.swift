import Config
import Diagnostics
import Providers

extension RuleName {
    static let scopeMismatch = RuleName("scope-mismatch")
}

extension Rule {
    static let scopeMismatch = Rule(
        .scopeMismatch, what: "The requested scopes differ from those granted in the provider's console (`preconfiguredScopes`).",
        why:
            "Some providers require an exact match. Write access does not include read access: `sdct-w` does not include `sdct-r`. On a mismatch, the user's sign-in fails with an error.",
        instead: "Use the same scopes in `scopes`, in the provider's console and in `preconfiguredScopes`.",
        bad: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                scopes: [«sdct-r»]
                preconfiguredScopes: [openid, profile, email, sdct-w]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                scopes: [sdct-w]
                preconfiguredScopes: [openid, profile, email, sdct-w]
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in context.providers.flatMap(mismatches) })

    private static func mismatches(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard let preset = provider.preset, let granted = provider.object["preconfiguredScopes"]?.list else { return [] }
        let requested = provider.object["scopes"]?.list ?? []
        guard !(provider.object["scopes"]?.isUnreadable ?? false), !(requested + granted).contains(where: \.isUnreadable) else { return [] }
        let grantedNames = Set(granted.compactMap(\.text))
        let requestedNames = Set(requested.compactMap(\.text) + preset.baseScopes)
        // Scopes that the console grants but `scopes` lacks, by stem, in the order of the file.
        var unpaired = Dictionary(grouping: granted.filter { $0.text.map { !requestedNames.contains($0) } ?? false }.reversed()) {
            ScopeStem.of($0.text ?? "")
        }
        var paired = Set<String>()
        var seen = Set<String>()
        var findings: [Diagnostic] = []
        for item in requested {
            guard let scope = item.text, !grantedNames.contains(scope), seen.insert(scope).inserted else { continue }
            // A missing base scope is reported as `missing-base-scope`.
            if preset.baseScopes.contains(scope) { continue }
            let stem = ScopeStem.of(scope)
            while let name = unpaired[stem]?.last?.text, paired.contains(name) { unpaired[stem]?.removeLast() }
            let partner = unpaired[stem]?.popLast()
            if let name = partner?.text { paired.insert(name) }
            findings.append(
                Diagnostic(
                    .scopeMismatch, at: item.referenceSpan, "this scope is requested but not granted in the provider's console",
                    label: partner.map { "the console grants `\($0.text ?? "")`" } ?? "not in `preconfiguredScopes`",
                    help: partner.map { "write `\($0.text ?? "")`, or change the console; neither scope includes the other" }
                        ?? "remove it, or grant it in the console and add it to `preconfiguredScopes`",
                    related: partner.map { [RelatedPlace("granted here", at: $0.span)] } ?? []))
        }
        for item in granted {
            guard let scope = item.text, !requestedNames.contains(scope), !paired.contains(scope), seen.insert(scope).inserted else {
                continue
            }
            findings.append(
                Diagnostic(
                    .scopeMismatch, at: item.referenceSpan, "this scope is granted in the provider's console but not requested",
                    label: "not in `scopes`", help: "add it to `scopes`, or remove it here and in the console"))
        }
        return findings
    }
}
