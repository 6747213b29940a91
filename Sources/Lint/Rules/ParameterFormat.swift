import Config
import Diagnostics
import Providers

extension Rule {
    static let parameterFormat = Rule(
        .parameterFormat, what: "`max_age` is no number of seconds, or `claims` no JSON object.",
        why: "Providers answer with an error page, or ignore it (OpenID Connect Core sections 3.1.2.1 and 5.5).",
        instead: "Write seconds in digits (`\"900\"`), and `claims` as JSON in single quotes.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { max_age: «15m» }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { max_age: "900" }
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["customParameters"]?.map ?? []).compactMap { entry -> Diagnostic? in
                    guard let text = entry.item.text, provider.preset?.kind == .oidc else { return nil }
                    switch entry.name {
                    case "max_age" where !text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }:
                        return Diagnostic(
                            .parameterFormat, at: entry.item.referenceSpan, "`max_age` is a number of seconds", label: "not a number",
                            help: "write it like \"900\"")
                    case "claims" where !(text.hasPrefix("{") && text.hasSuffix("}")):
                        return Diagnostic(
                            .parameterFormat, at: entry.item.referenceSpan, "`claims` is a JSON object", label: "not JSON",
                            help: "write it like '{\"id_token\": {\"acr\": null}}'; other scopes and claims go into `scopes`")
                    default: return nil
                    }
                }
            }
        })
}
