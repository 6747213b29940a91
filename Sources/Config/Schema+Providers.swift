extension Schema {
    package static let provider: [Key] =
        [
            Key(
                "id", .scalar(.text), required: true, example: "github.com",
                "A preset (`github.com`), a preset with a name (`github.com/partners`), `oidc.<slug>` or `oauth2.<slug>`; or `password` or `anonymous`, which have their own keys."
            ),
            Key("displayName", .scalar(.text), example: "Acme", "The name on the sign-in button. Default: the preset's name."),
            Key(
                "enabled", .scalar(.boolean), fallback: "true",
                "Whether users can sign in with this provider. If false, its addresses return 404."),
            Key(
                "issuer", .scalar(.issuer), example: "https://auth.example.com",
                "The OpenID Connect issuer, exactly as in the provider's discovery document at `{issuer}/.well-known/openid-configuration`."
            ),
            Key("baseURL", .scalar(.url), example: "https://github.example.com", "The address of a self-hosted provider."),
            Key(
                "tenant", .scalar(.text), example: "contoso.onmicrosoft.com",
                "Microsoft: the directory's id or domain, or `common`, `organizations` or `consumers`."),
            Key("realm", .scalar(.text), example: "staff", "Keycloak: the realm below `baseURL`."),
            Key(
                "apiVersion", .scalar(.text), example: "v21.0",
                "Facebook: the version of the Graph API. Default: the oldest version available to the app."),
            Key("clientID", .scalar(.credential), required: true, "The client ID that the provider assigned."),
            Key("clientSecret", .scalar(.secret), example: "${file:/run/secrets/acme}", "The client secret, as a reference."),
            Key(
                "privateKey", .scalar(.secret), example: "${file:./client.pem}",
                "The private key for `private_key_jwt` and for Apple's client secret, in PEM format."),
            Key("keyID", .scalar(.credential), "The `kid` of `privateKey`."),
            Key("teamID", .scalar(.credential), "Apple: the team that owns the key."),
            Key(
                "clientAuthentication", .scalar(.choice(ProviderConfiguration.ClientAuthentication.self)), example: "client_secret_basic",
                "How the gateway authenticates at the token endpoint. Default: by the preset or discovery."),
            Key("flow", .scalar(.flow), fallback: "code", "The OAuth 2.0 flow. Only `code` is supported."),
            Key(
                "responseMode", .scalar(.choice(ProviderConfiguration.ResponseMode.self)), example: "form_post",
                "How the provider returns the code. Default: by the preset."),
            Key(
                "additionalAudiences", .list(of: .scalar(.text)), fallback: "[]",
                "Other client IDs whose ID tokens are accepted on bearer requests."),
            Key(
                "idTokenAlgorithms", .list(of: .scalar(.words(signatureAlgorithms))), example: "[RS256]",
                "Accepted signature algorithms of ID tokens. Default: the asymmetric ones that discovery lists, or RS256 if it lists none. HS256, HS384 and HS512 must be listed here."
            ),
            Key(
                "scopes", .list(of: .scalar(.scope)), fallback: "[]", example: "[mail.read]",
                "Scopes in addition to the preset's base scopes."),
            Key(
                "preconfiguredScopes", .list(of: .scalar(.scope)), example: "[openid, profile, email]",
                "The scopes granted in the provider's console. They must equal the base scopes and `scopes` together."),
            Key(
                "customParameters", .map(of: .scalar(.parameterValue), keys: "parameter names"), example: "{ prompt: login }",
                "Additional parameters of the authorization request. All values are strings."),
            Key(
                "requestParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[login_hint, ui_locales]",
                "Parameters that a browser may pass on `/login`. Others are dropped."),
            Key(
                "reservedParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[audience]",
                "Reserved parameters of this provider, in addition to the global ones."),
            Key("userinfo", .scalar(.boolean), example: "true", "Whether to call the userinfo endpoint after verifying the ID token."),
            Key(
                "trustEmail", .scalar(.boolean), fallback: "false",
                "Whether every address of this provider counts as verified. Only for your own company directory."),
            trustedDomains, trustedSecondFactor[0], trustedSecondFactor[1],
            Key("endpoints", .mapping(.endpoints), "Endpoints that replace those of the preset or discovery."),
            Key(
                "claims", .mapping(.claims),
                "The claim for each field. A path with dots reaches into objects (`realm_access.roles`) and lists (`orgs.name`, `orgs.0`). Names that contain dots, such as `https://acme.example/roles`, need no escaping: at each step, the longest existing name wins."
            ),
            Key("groups", .mapping(.providerGroups), "Filters and new names for the provider's groups."),
        ] + providerTokens

    /// JWS algorithms that can be allowed for ID tokens (RFC 7518 section 3.1, RFC 8037).
    static let signatureAlgorithms = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384", "HS512",
    ]

    static let endpoints: [Key] = [
        Key("authorization", .scalar(.url), "The authorization endpoint, where users sign in."),
        Key("token", .scalar(.url), "The token endpoint, which exchanges the code."),
        Key("userinfo", .scalar(.url), "The userinfo endpoint, which returns claims."),
        Key("jwks", .scalar(.url), "The address of the signing keys."),
        Key("endSession", .scalar(.url), "The end-session endpoint, where users sign out."),
        Key("revocation", .scalar(.url), "The revocation endpoint for tokens (RFC 7009)."),
        Key("introspection", .scalar(.url), "The introspection endpoint for access tokens (RFC 7662)."),
        Key("pushedAuthorization", .scalar(.url), "The endpoint for pushed authorization requests (RFC 9126)."),
    ]

    static let claims: [Key] = [
        Key("subject", .scalar(.text), example: "sub", "The user's permanent identifier."),
        Key("email", .scalar(.text), example: "email", "The e-mail address."),
        Key("emailVerified", .scalar(.text), example: "email_verified", "Whether the provider has verified the address."),
        Key("username", .scalar(.text), example: "preferred_username", "The login name."),
        Key("name", .scalar(.text), example: "name", "The full name."),
        Key("picture", .scalar(.text), example: "picture", "The URL of a picture."),
        Key("locale", .scalar(.text), example: "locale", "The language."),
        Key("groups", .scalar(.text), example: "groups", "The groups."),
    ]
}
