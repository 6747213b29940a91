import Providers
import Config
import Diagnostics

extension Rule {
    static let parameterValue = Rule(
        .parameterValue, what: "A custom parameter has a value that the provider does not document.",
        why: "The provider ignores the value or shows an error page.",
        instead: "Use a documented value. `gateway providers ID` lists them.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { prompt: «allways» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { prompt: login }
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["customParameters"]?.map ?? []).compactMap { entry -> Diagnostic? in
                    guard let parameter = provider.preset?.parameter(named: entry.name), let values = parameter.values,
                        let value = entry.item.text
                    else { return nil }
                    let parts = value.split(separator: " ")
                    let contradicts = entry.name == "prompt" && parts.count > 1 && parts.contains("none")
                    guard !parameter.accepts(value) || contradicts else { return nil }
                    let isLiteral = entry.item.expanded?.isLiteral ?? false
                    let near = isLiteral ? Spelling.nearest(to: value, among: values) : nil
                    return Diagnostic(
                        .parameterValue, at: entry.item.referenceSpan,
                        contradicts
                            ? "`none` cannot be combined with other values of `prompt`" : "this value of `\(entry.name)` is not documented",
                        label: contradicts ? "OpenID Connect Core 3.1.2.1" : near.map { "did you mean `\($0)`?" },
                        help: "documented: \(values.map { "`\($0)`" }.joined(separator: ", "))")
                }
            }
        })
}
