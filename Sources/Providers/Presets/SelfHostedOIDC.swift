// Sources: developer.okta.com/docs/api/openapi/okta-oauth; auth0.com/docs/authenticate; Keycloak server administration guide;
// zitadel.com/docs/apis/openidoauth; docs.goauthentik.io providers/oauth2; ory.sh/docs/hydra; docs.gitea.com development/oauth2-provider.
extension ProviderPreset {
    static let okta: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "okta", "Okta", requires: [.issuer], admission: .members,
            parameters: [
                .init("idp", "id of the identity provider to use"), .init("idp_scope", "scopes for that identity provider"),
                .init("sessionToken", "session token from Okta's authentication API"),
            ],
            consoleSteps: [
                "In the Okta admin console under Applications, create an app integration of type OIDC, Web application.",
                "Enter {redirectURI} as a Sign-in redirect URI. `issuer` is https://{org}.okta.com, or …/oauth2/{server} for a custom authorization server.",
            ])
        preset.clientAuthentication = .post
        return preset
    }()

    static let auth0: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "auth0", "Auth0", requires: [.issuer], admission: .members,
            parameters: [
                .init("connection", "connection to sign in with"), .init("connection_scope", "scopes for that connection"),
                .init("audience", "API that the access token is for"),
                .init("organization", "id or name of the organization; the ID token must name it"),
                .init("invitation", "invitation ticket"), .init("screen_hint", "screen to show first"),
            ],
            consoleSteps: [
                "In the Auth0 dashboard under Applications, create a Regular Web Application.",
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
            "The issuer ends with a slash, both in discovery and in tokens.",
            "With `organization`, the gateway admits only its members: it compares the ID token's `org_id` or `org_name` claim.",
        ]
        return preset
    }()

    static let keycloak: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "keycloak", "Keycloak", issuer: "{base}/realms/{realm}", requires: [.baseURL, .realm], admission: .members,
            parameters: [
                .init("kc_idp_hint", "alias of the identity provider to use"),
                .init("kc_action", "action that the user must complete, such as UPDATE_PASSWORD"),
            ],
            consoleSteps: [
                "In the Keycloak admin console under your realm, Clients, create an OpenID Connect client. Turn on Client authentication, and enable Standard flow only.",
                "Add {redirectURI} under Valid redirect URIs. For groups, add a mapper of type Group Membership with the claim `groups`.",
            ])
        // By default, roles are in the access token (client scope `roles`), a JWT signed with the realm's keys.
        preset.habits.accessTokenClaims = ["realm_access", "resource_access"]
        preset.habits.groupClaims = [
            .init(path: "realm_access.roles", prefix: "role:"), .init(path: "resource_access.{client}.roles", prefix: "role:{client}:"),
        ]
        preset.quirks = [
            "Roles also become groups: `role:NAME` for a realm role, `role:CLIENT:NAME` for a role of this client. `claims.groups` replaces both.",
            "In Keycloak before version 17, realms are below {base}/auth: include `/auth` in `baseURL`.",
        ]
        return preset
    }()

    static let zitadel: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "zitadel", "ZITADEL", requires: [.issuer], admission: .members,
            consoleSteps: [
                "In the ZITADEL console under your project, create an application of type Web with the CODE method.",
                "Add {redirectURI} under Redirect URIs. `issuer` is the address of the instance.",
            ])
        // zitadel.com/docs/apis/openidoauth/claims: an object keyed by role.
        preset.claims.groups = "urn:zitadel:iam:org:project:roles"
        preset.quirks = [
            "Profile and e-mail claims are in userinfo only, unless you turn on User Info inside ID Token in the application's settings.",
            "The keys of `urn:zitadel:iam:org:project:roles` become groups. Turn on Assert Roles on Authentication in the project's settings, or request the scope `urn:zitadel:iam:org:projects:roles`.",
        ]
        return preset
    }()

    static let authentik: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "authentik", "authentik", requires: [.issuer], admission: .members,
            consoleSteps: [
                "In the authentik admin interface, create an application with a confidential OAuth2/OpenID provider.",
                "Add {redirectURI} as a strict redirect URI. `issuer` is {base}/application/o/{slug}/ with its trailing slash.",
            ])
        preset.quirks = ["Each application has its own issuer, which ends with a slash."]
        return preset
    }()

    // docs.aws.amazon.com/cognito/latest/developerguide: federation-endpoints, logout-endpoint, the-id-token.
    static let cognito: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "cognito", "Amazon Cognito", requires: [.issuer], admission: .members,
            parameters: [
                .init("identity_provider", "name of the identity provider to use"),
                .init("idp_identifier", "identifier of the identity provider to use"), .init("lang", "language of the pages"),
            ],
            consoleSteps: [
                "In Amazon Cognito under your user pool, App clients, create a confidential client (traditional web application) with a secret.",
                "Under Login pages, add {redirectURI} as an Allowed callback URL and {loggedOutURI} as an Allowed sign-out URL. Select the authorization code grant and the scopes openid, profile and email.",
                "`issuer` is https://cognito-idp.{region}.amazonaws.com/{pool id}.",
            ])
        preset.clientAuthentication = .basic
        preset.claims.username = "cognito:username"
        preset.claims.groups = "cognito:groups"
        preset.readsLooseBooleans = true
        preset.habits.logout = .ownParameter("logout_uri", path: "/logout")
        preset.quirks = [
            "The endpoints are on the pool's domain; the issuer is not.",
            "Sign-out uses Cognito's own `/logout` with `client_id` and `logout_uri`.",
        ]
        return preset
    }()

    static let hydra: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "hydra", "Ory Hydra", requires: [.issuer], admission: .members,
            consoleSteps: [
                "Create an OAuth 2.0 client with the grant types authorization_code and refresh_token, and with {redirectURI} as its redirect URI."
            ])
        preset.quirks = [
            "Your consent app decides which claims Hydra sends, including `email_verified`. Hydra enforces the client's authentication method."
        ]
        return preset
    }()

    static let gitea: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "gitea", "Gitea", issuer: "{base}", requires: [.baseURL], admission: .anyoneOnHosts(["gitea.com", "codeberg.org"]),
            consoleSteps: [
                "In Gitea or Forgejo under Settings, Applications, create a confidential OAuth2 application with {redirectURI} as the Redirect URI."
            ])
        preset.quirks = [
            "Gitea does not say whether an address is verified. `trustEmail: true` treats every address as verified.",
            "The issuer is the server's ROOT_URL. If it ends with a slash, set `issuer` with the slash.",
        ]
        return preset
    }()
}
