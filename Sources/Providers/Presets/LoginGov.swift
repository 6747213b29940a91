// Sources: developers.login.gov/oidc (getting started, authorization, token, user-info, logout). The issuer is the site's root URL
// with its slash.
extension ProviderPreset {
    static let loginGov: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "login.gov", "Login.gov", issuer: "https://secure.login.gov/", requires: [.privateKey], admission: .anyone,
            scopes: ["openid", "email"],
            parameters: [
                .init("prompt", ["select_account"], "the only value that Login.gov accepts"),
                .init("acr_values", "required assurance, such as urn:acr.login.gov:auth-only"),
                .init("locale", ["en", "es", "fr", "zh"], "language of the pages"),
                .init("vtr", "vectors of trust, instead of acr_values"),
            ],
            consoleSteps: [
                "On portal.int.identitysandbox.gov, create an app with the OpenID Connect protocol and private_key_jwt, and upload the certificate of `privateKey` (RSA, 2048 bits or more).",
                "Add {redirectURI} and {loggedOutURI} as redirect URIs. The issuer string that you choose there is `clientID`.",
                "For the sandbox, set `issuer: https://idp.int.identitysandbox.gov/` with the trailing slash.",
            ])
        preset.issuerAliases = ["https://secure.login.gov"]
        preset.clientAuthentication = .privateKeyJWT
        preset.needsSecret = false
        preset.defaultParameters = [(name: "acr_values", value: "urn:acr.login.gov:auth-only"), (name: "prompt", value: "select_account")]
        preset.claims.username = nil
        preset.claims.groups = nil
        preset.knownScopes = [
            "openid", "email", "all_emails", "locale", "address", "phone", "profile", "profile:name", "profile:birthdate",
            "profile:verified_at", "social_security_number", "x509", "x509:subject", "x509:issuer", "x509:presented",
        ]
        preset.habits.addressesAssertionsToTokenEndpoint = true
        preset.habits.keyAlgorithms = ["RS256"]
        preset.habits.logout = .standard(.none)
        preset.quirks = [
            "Login.gov has no client secrets. The gateway signs an assertion with `privateKey`, or uses PKCE alone (`clientAuthentication: none`).",
            "The ID token must contain one of the requested `acr_values`.",
        ]
        return preset
    }()
}
