import Config
import Diagnostics
import Providers

extension RuleName {
    static let parameterFormat = RuleName("parameter-format", .warning)
}

extension Rule {
    static let parameterFormat = Rule(
        .parameterFormat, what: "`max_age` is not a number of seconds up to ten years, or `claims` is not a JSON object.",
        why:
            "The provider shows an error page or ignores the value (OpenID Connect Core sections 3.1.2.1 and 5.5). The gateway checks `auth_time` only if `max_age` is a number, and treats values above 315360000 as 315360000.",
        instead: "Write `max_age` as a number of seconds (`\"900\"`), at most `\"315360000\"`. Write `claims` as JSON in single quotes.",
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
                            .parameterFormat, at: entry.item.referenceSpan,
                            "`max_age` must be a number of seconds from 0 to \(MaxAge.longest)",
                            label: isTooLong ? "longer than ten years" : "not a number of seconds",
                            help: isTooLong
                                ? "remove it, or write the longest accepted age of a sign-in, like \"900\"" : "write it like \"900\""
                        )
                    case "claims" where !(text.hasPrefix("{") && text.hasSuffix("}")):
                        return Diagnostic(
                            .parameterFormat, at: entry.item.referenceSpan, "`claims` must be a JSON object", label: "not JSON",
                            help: "write it like '{\"id_token\": {\"acr\": null}}'; for more scopes, use `scopes`")
                    default: return nil
                    }
                }
            }
        })
}
