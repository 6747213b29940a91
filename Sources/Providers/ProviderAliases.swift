/// Everyday names of providers, such as `entra`, and the ids they stand for.
enum ProviderAliases {
    /// The id of a preset, or `oidc.<slug>` for a product without one; nil for an unknown name.
    static func id(for name: String) -> String? {
        let folded = String(name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
        if let preset = presets[folded] { return preset }
        if openIDProducts.contains(folded) { return "\(ProviderCatalogue.oidc).\(folded)" }
        return ProviderCatalogue.contractPresetIDs.first { $0.contains(".") && $0.prefix { $0 != "." } == folded }
    }

    private static let presets: [String: String] = [
        "aad": "microsoft.com", "azure": "microsoft.com", "azuread": "microsoft.com", "azureactivedirectory": "microsoft.com",
        "entra": "microsoft.com", "entraid": "microsoft.com", "microsoftentra": "microsoft.com", "microsoftentraid": "microsoft.com",
        "microsoft365": "microsoft.com", "microsoftonline": "microsoft.com", "ms": "microsoft.com", "msentra": "microsoft.com",
        "msft": "microsoft.com", "m365": "microsoft.com", "o365": "microsoft.com", "office365": "microsoft.com",
        "gmail": "google.com", "googleoauth": "google.com", "googleoauth2": "google.com", "googleworkspace": "google.com",
        "gsuite": "google.com",
        "gh": "github.com", "ghe": "github.com", "githubenterprise": "github.com",
        "fb": "facebook.com", "meta": "facebook.com", "x": "twitter.com", "x.com": "twitter.com",
        "aws": "cognito", "awscognito": "cognito", "amazoncognito": "cognito",
        "forgejo": "gitea", "ory": "hydra", "oryhydra": "hydra", "logindotgov": "login.gov", "redhatsso": "keycloak", "rhsso": "keycloak",
    ]

    /// Products that speak OpenID Connect and need no preset.
    private static let openIDProducts: Set<String> = [
        "adfs", "authelia", "dex", "duo", "jumpcloud", "kanidm", "onelogin", "pingfederate", "pingone", "pocketid",
    ]
}
