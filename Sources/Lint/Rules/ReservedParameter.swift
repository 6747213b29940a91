import YAML
import Config
import Diagnostics
import Providers

extension RuleName {
    static let reservedParameter = RuleName("reserved-parameter")
}

extension Rule {
    static let reservedParameter = Rule(
        .reservedParameter, what: "`customParameters` or `requestParameters` contains a reserved authorization parameter.",
        why: "The gateway sets these parameters itself. A second value could redirect the code or the user to an attacker.",
        instead: "Remove the parameter. Write scopes under `scopes`. The gateway sets the redirect URI, state, nonce and PKCE parameters.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters:
                  «redirect_uri»: https://evil.example
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters:
                  prompt: login
            """),
        check: { context in
            context.providers.flatMap { provider in
                ParameterName.all(of: provider).compactMap { finding(for: $0, of: provider, context) }
            }
        })

    private static func finding(for parameter: ParameterName, of provider: LintContext.Provider, _ context: LintContext) -> Diagnostic? {
        let name = parameter.name
        let isBuiltIn = ReservedParameters().contains(name)
        let declared = reservation(of: name, by: provider, context)
        guard isBuiltIn || declared != nil else { return nil }
        let message =
            parameter.isOffered
            ? "browsers may not pass `\(name)`, which is reserved" : "`\(name)` is reserved and cannot be a custom parameter"
        return Diagnostic(
            .reservedParameter, at: parameter.node.span, message,
            label: isBuiltIn ? "the gateway sets this itself" : "reserved by this configuration",
            help: help(name, provider, isBuiltIn, hasPublicURL: context.configuration.server.publicURL != nil),
            related: declared.map { [RelatedPlace("reserved here", at: $0.span)] } ?? [])
    }

    /// The entry of a `reservedParameters` list that names the parameter.
    private static func reservation(of name: String, by provider: LintContext.Provider, _ context: LintContext) -> Item? {
        let items = (provider.object["reservedParameters"]?.list ?? []) + (context.root["reservedParameters"]?.list ?? [])
        return items.first { $0.text?.lowercased() == name.lowercased() }
    }

    private static func help(_ name: String, _ provider: LintContext.Provider, _ isBuiltIn: Bool, hasPublicURL: Bool) -> String {
        guard isBuiltIn else { return "remove it here, or from `reservedParameters`" }
        switch name.lowercased() {
        case "redirect_uri":
            guard hasPublicURL, let uri = provider.settings?.redirectURI else {
                return "remove it; the gateway derives it from `publicURL`"
            }
            return "remove it; the redirect URI of this provider is \(uri)"
        case "scope": return "remove it and list scopes under `scopes`"
        case "response_type": return "remove it; the gateway supports only the authorization code flow"
        case "response_mode": return "remove it, and use `responseMode`"
        case "client_id": return "remove it, and use `clientID`"
        case "client_secret": return "remove it, and use `clientSecret`"
        default: return "remove it"
        }
    }
}
