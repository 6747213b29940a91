// Sources: developer.okta.com/docs/api/openapi/okta-oauth; auth0.com/docs/authenticate; Keycloak server administration guide;
// zitadel.com/docs/apis/openidoauth; docs.goauthentik.io providers/oauth2; ory.sh/docs/hydra; docs.gitea.com development/oauth2-provider.
extension ProviderPreset {
    static let okta: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "okta", "Okta", requires: [.issuer], admission: .members,
            parameters: [
                .init("idp", "id of an identity provider to go to"), .init("idp_scope", "scopes for that identity provider"),
                .init("sessionToken", "a session token from Okta's authentication API"),
            ],
            consoleSteps: [
                "Okta admin console, Applications: create an app integration, OIDC, Web application.",
                "Enter {redirectURI} as Sign-in redirect URI. `issuer` is https://{org}.okta.com, or …/oauth2/{server} for a custom authorization server.",
            ])
        preset.clientAuthentication = .post
        return preset
    }()

    static let auth0: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "auth0", "Auth0", requires: [.issuer], admission: .members,
            parameters: [
                .init("connection", "the connection to sign in with"), .init("connection_scope", "scopes for that connection"),
                .init("audience", "the API an access token is for"), .init("organization", "the organization to sign in to"),
                .init("invitation", "an invitation ticket"), .init("screen_hint", "the screen to show first"),
            ],
            consoleSteps: [
                "Auth0 dashboard, Applications: create a Regular Web Application.",
                "Add {redirectURI} under Allowed Callback URLs. `issuer` is https://{tenant}.{region}.auth0.com/ with its trailing slash.",
            ])
        preset.claims.username = "nickname"
        preset.quirks = ["The issuer ends with a slash, in discovery and in tokens."]
        return preset
    }()

    static let keycloak: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "keycloak", "Keycloak", issuer: "{base}/realms/{realm}", requires: [.baseURL, .realm], admission: .members,
            parameters: [
                .init("kc_idp_hint", "alias of an identity provider to go to"),
                .init("kc_action", "an action the person must do, as UPDATE_PASSWORD"),
            ],
            consoleSteps: [
                "Keycloak admin console, your realm, Clients: create an OpenID Connect client with Client authentication on and Standard flow only.",
                "Add {redirectURI} under Valid redirect URIs. A mapper of type Group Membership with claim `groups` sends groups.",
            ])
        preset.quirks = ["Realms of Keycloak before 17 live under {base}/auth: put that into `baseURL`."]
        return preset
    }()

    static let zitadel: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "zitadel", "ZITADEL", requires: [.issuer], admission: .members,
            consoleSteps: [
                "ZITADEL console, your project: create an application of type Web with the CODE method.",
                "Add {redirectURI} under Redirect URIs. `issuer` is the address of the instance.",
            ])
        preset.quirks = ["Profile and e-mail claims come from userinfo only, unless the application asserts them in the ID token."]
        return preset
    }()

    static let authentik: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "authentik", "authentik", requires: [.issuer], admission: .members,
            consoleSteps: [
                "authentik admin interface: create an application with an OAuth2/OpenID provider, confidential.",
                "Add {redirectURI} as strict redirect URI. `issuer` is {base}/application/o/{slug}/ with its trailing slash.",
            ])
        preset.quirks = ["The issuer is one per application and ends with a slash."]
        return preset
    }()

    static let hydra: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "hydra", "Ory Hydra", requires: [.issuer], admission: .members,
            consoleSteps: [
                "Create an OAuth 2.0 client with the grants authorization_code and refresh_token and {redirectURI} as redirect URI."
            ])
        preset.quirks = [
            "Which claims come, `email_verified` among them, is up to your consent app. The client's authentication method is enforced."
        ]
        return preset
    }()

    static let gitea: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "gitea", "Gitea", issuer: "{base}", requires: [.baseURL], admission: .anyoneOnHosts(["gitea.com", "codeberg.org"]),
            consoleSteps: [
                "Gitea or Forgejo, Settings, Applications: create a confidential OAuth2 application with {redirectURI} as Redirect URI."
            ])
        preset.quirks = [
            "Gitea does not say whether an address is verified; `trustEmail: true` says so in its place.",
            "The issuer is the server's ROOT_URL; where that ends with a slash, set `issuer` with it.",
        ]
        return preset
    }()
}
