import Config
import Diagnostics
import Providers

extension Rule {
    static let scopeMismatch = Rule(
        .scopeMismatch, what: "The requested scopes are not exactly those that the provider's console grants (`preconfiguredScopes`).",
        why:
            "Some providers want an exact match, and none treats write access as including read access: `sdct-w` is not `sdct-r`. Otherwise the sign-in fails with an error that the person sees.",
        instead: "Make `scopes` and the console agree, and `preconfiguredScopes` with both.",
        bad: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                scopes: [«sdct-r»]
                preconfiguredScopes: [openid, profile, email, sdct-w]
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        good: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                scopes: [sdct-w]
                preconfiguredScopes: [openid, profile, email, sdct-w]
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        check: { context in context.providers.flatMap(mismatches) })

    private static func mismatches(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard let preset = provider.preset, let granted = provider.object["preconfiguredScopes"]?.list else { return [] }
        let requested = provider.object["scopes"]?.list ?? []
        guard !(provider.object["scopes"]?.isUnreadable ?? false), !(requested + granted).contains(where: \.isUnreadable) else { return [] }
        let grantedNames = Set(granted.compactMap(\.text))
        let requestedNames = Set(requested.compactMap(\.text) + preset.baseScopes)
        // What the console grants besides, by stem: the first is taken first.
        var unpaired = Dictionary(grouping: granted.filter { $0.text.map { !requestedNames.contains($0) } ?? false }.reversed()) {
            ScopeStem.of($0.text ?? "")
        }
        var paired = Set<String>()
        var seen = Set<String>()
        var findings: [Diagnostic] = []
        for item in requested {
            guard let scope = item.text, !grantedNames.contains(scope), seen.insert(scope).inserted else { continue }
            // A base scope that the console lacks is `missing-base-scope`.
            if preset.baseScopes.contains(scope) { continue }
            let stem = ScopeStem.of(scope)
            while let name = unpaired[stem]?.last?.text, paired.contains(name) { unpaired[stem]?.removeLast() }
            let partner = unpaired[stem]?.popLast()
            if let name = partner?.text { paired.insert(name) }
            findings.append(
                Diagnostic(
                    .scopeMismatch, at: item.referenceSpan, "this scope is requested but not granted by the provider's console",
                    label: partner.map { "the console grants `\($0.text ?? "")`" } ?? "not in `preconfiguredScopes`",
                    help: partner.map { "write `\($0.text ?? "")`, or change the console; the one does not include the other" }
                        ?? "remove it, or grant it in the console and add it to `preconfiguredScopes`",
                    related: partner.map { [RelatedPlace("granted here", at: $0.span)] } ?? []))
        }
        for item in granted {
            guard let scope = item.text, !requestedNames.contains(scope), !paired.contains(scope), seen.insert(scope).inserted else {
                continue
            }
            findings.append(
                Diagnostic(
                    .scopeMismatch, at: item.referenceSpan, "this scope is granted by the provider's console but not requested",
                    label: "not in `scopes`", help: "add it to `scopes`, or remove it here and in the console"))
        }
        return findings
    }
}
