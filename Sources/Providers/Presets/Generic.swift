extension ProviderPreset {
    /// Any OpenID Connect provider, by its issuer.
    static let genericOIDC = ProviderPreset.openID(
        ProviderCatalogue.oidc, "OpenID Connect", requires: [.issuer], admission: .members,
        consoleSteps: [
            "Register a web application (confidential client, authorization code flow) at your provider.",
            "Enter {redirectURI} as its redirect URI, exactly.",
            "Copy client id and client secret into the configuration; `issuer` is that of the provider's discovery document, byte for byte.",
        ])

    /// Any OAuth 2.0 provider with an endpoint that tells who signed in.
    static let genericOAuth2: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            ProviderCatalogue.oauth2, "OAuth 2.0", baseURL: nil, endpoints: Endpoints(), admission: .members, scopes: [],
            claims: ClaimMapping(subject: "id"), email: .claim,
            consoleSteps: [
                "Register an application at your provider with {redirectURI} as its redirect URI.",
                "Set `endpoints.authorization`, `endpoints.token` and `endpoints.userinfo`, and name the claims: `claims.subject` at least.",
            ])
        preset.requires = [.endpoints]
        preset.quirks = ["An address counts as verified only where `claims.emailVerified` names a claim."]
        return preset
    }()
}
