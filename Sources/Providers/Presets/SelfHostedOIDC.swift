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
                .init("audience", "the API an access token is for"),
                .init("organization", "the organization to sign in to, its id or name; the ID token must name it"),
                .init("invitation", "an invitation ticket"), .init("screen_hint", "the screen to show first"),
            ],
            consoleSteps: [
                "Auth0 dashboard, Applications: create a Regular Web Application.",
                "Add {redirectURI} under Allowed Callback URLs. `issuer` is https://{tenant}.{region}.auth0.com/ with its trailing slash.",
            ])
        preset.claims.username = "nickname"
        // auth0.com/docs/authenticate/login/logout/log-users-out-of-auth0: `logout_hint` takes the `sid` of the ID token.
        preset.habits.logout = .standard(.logoutHint(claim: "sid"))
        // auth0.com/docs/manage-users/organizations/using-tokens: `org_id` for an id, `org_name` for a name.
        preset.enforcedParameters = [
            EnforcedParameter("organization", claim: "org_id", values: .withPrefix("org_")),
            EnforcedParameter("organization", claim: "org_name", values: .withoutPrefix("org_")),
        ]
        preset.quirks = [
            "The issuer ends with a slash, in discovery and in tokens.",
            "With `organization` configured only its members pass: the ID token's `org_id` (or `org_name`) is compared.",
        ]
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
        // Roles are in the access token by default (client scope `roles`), which is a JWT signed with the realm's keys.
        preset.habits.accessTokenClaims = ["realm_access", "resource_access"]
        preset.habits.groupClaims = [
            .init(path: "realm_access.roles", prefix: "role:"), .init(path: "resource_access.{client}.roles", prefix: "role:{client}:"),
        ]
        preset.quirks = [
            "Roles are groups too: `role:NAME` for a role of the realm, `role:CLIENT:NAME` for one of this client. `claims.groups` replaces both.",
            "Realms of Keycloak before 17 live under {base}/auth: put that into `baseURL`.",
        ]
        return preset
    }()

    static let zitadel: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "zitadel", "ZITADEL", requires: [.issuer], admission: .members,
            consoleSteps: [
                "ZITADEL console, your project: create an application of type Web with the CODE method.",
                "Add {redirectURI} under Redirect URIs. `issuer` is the address of the instance.",
            ])
        // zitadel.com/docs/apis/openidoauth/claims: an object keyed by role.
        preset.claims.groups = "urn:zitadel:iam:org:project:roles"
        preset.quirks = [
            "Profile and e-mail claims come from userinfo only, unless the application asserts them in the ID token.",
            "The keys of `urn:zitadel:iam:org:project:roles` are groups: assert roles in the project's settings, or ask for the scope `urn:zitadel:iam:org:projects:roles`.",
        ]
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

    // docs.aws.amazon.com/cognito/latest/developerguide: federation-endpoints, logout-endpoint, the-id-token.
    static let cognito: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "cognito", "Amazon Cognito", requires: [.issuer], admission: .members,
            parameters: [
                .init("identity_provider", "name of the identity provider to go to"),
                .init("idp_identifier", "identifier of the identity provider to go to"), .init("lang", "language of the pages"),
            ],
            consoleSteps: [
                "Amazon Cognito, your user pool, App clients: create a confidential client (traditional web application) with a secret.",
                "Login pages: add {redirectURI} as Allowed callback URL and {loggedOutURI} as Allowed sign-out URL; grant authorization code; scopes openid, profile and email.",
                "`issuer` is https://cognito-idp.{region}.amazonaws.com/{pool id}.",
            ])
        preset.clientAuthentication = .basic
        preset.claims.username = "cognito:username"
        preset.claims.groups = "cognito:groups"
        preset.readsLooseBooleans = true
        preset.habits.logout = .ownParameter("logout_uri", path: "/logout")
        preset.quirks = [
            "The endpoints are on the pool's domain, the issuer is not.",
            "Signing out goes to Cognito's own `/logout` with `client_id` and `logout_uri`.",
        ]
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
