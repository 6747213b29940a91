import Config
import Diagnostics
import Providers

extension Rule {
    static let parameterFormat = Rule(
        .parameterFormat, what: "`max_age` is not a number of seconds up to ten years, or `claims` is not a JSON object.",
        why:
            "Providers answer with an error page, or ignore it (OpenID Connect Core sections 3.1.2.1 and 5.5). The gateway checks `auth_time` against a number only; one above 315360000 counts as 315360000.",
        instead: "Write seconds in digits (`\"900\"`), at most `\"315360000\"`, and `claims` as JSON in single quotes.",
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
                    case MaxAge.parameter where MaxAge(text) == nil:
                        let isTooLong = MaxAge(clamping: text) != nil
                        return Diagnostic(
                            .parameterFormat, at: entry.item.referenceSpan, "`max_age` is a number of seconds from 0 to \(MaxAge.longest)",
                            label: isTooLong ? "longer than ten years" : "not a number of seconds",
                            help: isTooLong
                                ? "remove it, or write the longest age of a sign-in that you accept, like \"900\"" : "write it like \"900\""
                        )
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
