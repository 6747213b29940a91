extension Schema {
    package static let provider: [Key] =
        [
            Key(
                "id", .scalar(.text), required: true, example: "github.com",
                "A preset (`github.com`), a preset with a name (`github.com/partners`), `oidc.<slug>` or `oauth2.<slug>`."),
            Key("displayName", .scalar(.text), example: "Acme", "The name on the sign-in button; absent: the preset's."),
            Key("enabled", .scalar(.boolean), fallback: "true", "A disabled provider answers 404 and is not offered."),
            Key(
                "issuer", .scalar(.issuer), example: "https://auth.example.com",
                "The OpenID Connect issuer, byte for byte as the provider writes it; discovery is at issuer + `/.well-known/openid-configuration`."
            ),
            Key("baseURL", .scalar(.url), example: "https://github.example.com", "Where a self-hosted provider lives."),
            Key(
                "tenant", .scalar(.text), example: "contoso.onmicrosoft.com",
                "Microsoft: the directory, or `common`, `organizations`, `consumers`."),
            Key("realm", .scalar(.text), example: "staff", "Keycloak: the realm below `baseURL`."),
            Key(
                "apiVersion", .scalar(.text), example: "v21.0",
                "Facebook: the version of the Graph API; absent: the oldest that the app may use."),
            Key("clientID", .scalar(.text), required: true, "The client ID that the provider assigned."),
            Key("clientSecret", .scalar(.secret), example: "${file:/run/secrets/acme}", "The client secret, by reference."),
            Key(
                "privateKey", .scalar(.secret), example: "${file:./client.pem}",
                "PEM private key for `private_key_jwt`, and for Apple's client secret."),
            Key("keyID", .scalar(.text), "The `kid` of `privateKey`."),
            Key("teamID", .scalar(.text), "Apple: the team that owns the key."),
            Key(
                "clientAuthentication", .scalar(.choice(ProviderConfiguration.ClientAuthentication.self)), example: "client_secret_basic",
                "How the gateway proves who it is at the token endpoint; absent: the preset's, or discovery's."),
            Key("flow", .scalar(.flow), fallback: "code", "The OAuth 2.0 flow; only `code` is served."),
            Key(
                "responseMode", .scalar(.choice(ProviderConfiguration.ResponseMode.self)), example: "form_post",
                "How the provider sends the code back; absent: the preset's."),
            Key(
                "additionalAudiences", .list(of: .scalar(.text)), fallback: "[]",
                "Other client IDs whose ID tokens are accepted on bearer requests."),
            Key(
                "idTokenAlgorithms", .list(of: .scalar(.words(signatureAlgorithms))), example: "[RS256]",
                "Signature algorithms of ID tokens; absent: the asymmetric ones among discovery's list, RS256 if it lists none. HS256, HS384 and HS512 only when named here."
            ),
            Key("scopes", .list(of: .scalar(.scope)), fallback: "[]", example: "[mail.read]", "Scopes on top of the preset's base scopes."),
            Key(
                "preconfiguredScopes", .list(of: .scalar(.scope)), example: "[openid, profile, email]",
                "What the provider's console grants; must be exactly the base scopes and `scopes`."),
            Key(
                "customParameters", .map(of: .scalar(.parameterValue), keys: "parameter names"), example: "{ prompt: login }",
                "Parameters added to the authorization request; all values are strings."),
            Key(
                "requestParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[login_hint, ui_locales]",
                "Parameters that a browser may pass on `/login`; anything else is dropped."),
            Key(
                "reservedParameters", .list(of: .scalar(.parameterName)), fallback: "[]", example: "[audience]",
                "Parameters forbidden for this provider, besides the global ones."),
            Key("userinfo", .scalar(.boolean), example: "true", "Whether the userinfo endpoint is called after the ID token is verified."),
            Key(
                "trustEmail", .scalar(.boolean), fallback: "false",
                "Counts every address of this provider as verified; for a company's own directory."),
            Key("endpoints", .mapping(.endpoints), "Overrides of the preset's or discovery's endpoints."),
            Key(
                "claims", .mapping(.claims),
                "Which claim holds what. A path with dots reaches into objects (`realm_access.roles`) and collects from lists (`orgs.name`, `orgs.0`). A name that has dots itself, such as `https://acme.example/roles`, is written as it is: at each step the longest name that exists wins."
            ),
            Key("groups", .mapping(.providerGroups), "Which of the provider's groups a session keeps, and under which names."),
        ] + providerTokens

    /// JWS algorithms (RFC 7518 section 3.1, RFC 8037) that can be allowed for ID tokens.
    static let signatureAlgorithms = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384", "HS512",
    ]

    static let endpoints: [Key] = [
        Key("authorization", .scalar(.url), "Where the browser is sent."),
        Key("token", .scalar(.url), "Where the code is exchanged."),
        Key("userinfo", .scalar(.url), "Where claims are fetched."),
        Key("jwks", .scalar(.url), "Where the signing keys are."),
        Key("endSession", .scalar(.url), "Where the browser is sent to sign out."),
        Key("revocation", .scalar(.url), "Where tokens are revoked (RFC 7009)."),
        Key("introspection", .scalar(.url), "Where access tokens are looked up (RFC 7662)."),
        Key("pushedAuthorization", .scalar(.url), "Where authorization requests are pushed (RFC 9126)."),
    ]

    static let claims: [Key] = [
        Key("subject", .scalar(.text), example: "sub", "What never changes for one person."),
        Key("email", .scalar(.text), example: "email", "The address."),
        Key("emailVerified", .scalar(.text), example: "email_verified", "Whether the provider vouches for the address."),
        Key("username", .scalar(.text), example: "preferred_username", "The login name."),
        Key("name", .scalar(.text), example: "name", "The full name."),
        Key("picture", .scalar(.text), example: "picture", "The address of a picture."),
        Key("locale", .scalar(.text), example: "locale", "The language."),
        Key("groups", .scalar(.text), example: "groups", "The groups."),
    ]
}
