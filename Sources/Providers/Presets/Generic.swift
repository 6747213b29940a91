extension ProviderPreset {
    /// Any OpenID Connect provider, by its issuer.
    package static let genericOIDC = ProviderPreset.openID(
        ProviderCatalogue.oidc, "OpenID Connect", requires: [.issuer], admission: .members,
        consoleSteps: [
            "At your provider, register a web application (confidential client, authorization code flow).",
            "Enter {redirectURI} as its redirect URI, exactly as shown here.",
            "Copy the client ID and client secret into the configuration. Copy `issuer` exactly from the provider's discovery document.",
        ])

    /// Any OAuth 2.0 provider with a userinfo endpoint.
    static let genericOAuth2: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            ProviderCatalogue.oauth2, "OAuth 2.0", baseURL: nil, endpoints: Endpoints(), admission: .members, scopes: [],
            claims: ClaimMapping(subject: "id"), email: .claim,
            consoleSteps: [
                "At your provider, register an application with {redirectURI} as its redirect URI.",
                "Set `endpoints.authorization`, `endpoints.token` and `endpoints.userinfo`, and at least `claims.subject`.",
            ])
        preset.requires = [.endpoints]
        preset.quirks = ["An address counts as verified only if `claims.emailVerified` names a claim."]
        return preset
    }()
}
