import Config
import Diagnostics
import Providers
import YAML

extension RuleName {
    static let secretParameter = RuleName("secret-parameter", .warning)
}

extension Rule {
    static let secretParameter = Rule(
        .secretParameter, what: "The name of a custom parameter suggests that its value is a secret.",
        why: "Custom parameters are part of the sign-in URL. They are visible in the address bar, in the browser's history and in logs.",
        instead:
            "Remove the parameter. Write client credentials as `clientSecret` or `privateKey`; the gateway sends them to the token endpoint.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { «api_key»: "8d0f7a" }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { audience: "https://api.example.com" }
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["customParameters"]?.map ?? []).compactMap { entry -> Diagnostic? in
                    let name = Spelling.folded(entry.name)
                    let isSecret = ["secret", "password", "passwd", "apikey", "privatekey", "accesstoken", "refreshtoken"].contains {
                        name.contains($0)
                    }
                    let isReported =
                        ReservedParameters(adding: provider.configuration.reservedParameters + context.configuration.reservedParameters)
                        .contains(entry.name) || Translations.meaning(of: entry.name) != nil
                        || (!provider.isGeneric && provider.preset?.parameter(named: entry.name) == nil)
                    guard isSecret, !isReported else { return nil }
                    return Diagnostic(
                        .secretParameter, at: entry.key.span, "custom parameters are visible in the address bar",
                        label: "looks like a secret",
                        help: "remove it, and write client credentials as `clientSecret` or `privateKey`")
                }
            }
        })
}
