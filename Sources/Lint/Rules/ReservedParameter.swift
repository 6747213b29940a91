import YAML
import Config
import Diagnostics
import Providers

extension Rule {
    static let reservedParameter = Rule(
        .reservedParameter, what: "A reserved authorization parameter is set, or offered to browsers.",
        why: "The gateway sets these itself to keep the flow safe. A second value could send the code, or the person, somewhere else.",
        instead: "Remove it. Scopes belong under `scopes`; redirect URI, state, nonce and PKCE are the gateway's.",
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
            ? "`\(name)` is reserved and cannot be passed by a browser" : "`\(name)` is reserved and cannot be a custom parameter"
        return Diagnostic(
            .reservedParameter, at: parameter.node.span, message,
            label: isBuiltIn ? "the gateway sets this itself" : "reserved by this configuration",
            help: help(name, provider, isBuiltIn, hasPublicURL: context.configuration.server.publicURL != nil),
            related: declared.map { [RelatedPlace("reserved here", at: $0.span)] } ?? [])
    }

    /// The item of a `reservedParameters` list that names it.
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
        case "response_type": return "remove it; only the authorization code flow is served"
        case "response_mode": return "remove it; `responseMode` is the key for it"
        case "client_id": return "remove it; `clientID` is the key for it"
        case "client_secret": return "remove it; `clientSecret` is the key for it"
        default: return "remove it"
        }
    }
}
