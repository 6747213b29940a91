/// Keys for tokens: those that clients send, those that the app receives, and how the provider issues them.
extension Schema {
    /// Keys of a provider.
    static let providerTokens: [Key] = [
        Key("accessTokens", .mapping(.accessTokens), "Access tokens of this provider that `bearer` accepts in addition to ID tokens."),
        Key(
            "pushedAuthorization", .scalar(.choice(ProviderConfiguration.Use.self)), fallback: "auto",
            "Pushed authorization requests (RFC 9126): `auto` uses them if the provider requires them, `required` always, `off` never."),
        Key(
            "dpop", .scalar(.choice(ProviderConfiguration.Use.self)), fallback: "auto",
            "Tokens bound to a key of the session (RFC 9449): `auto` uses them if the provider advertises DPoP with ES256 and no header carries the access token, `required` always, `off` never."
        ),
    ]

    static let accessTokens: [Key] = [
        Key(
            "audience", .scalar(.text), required: true, example: "https://api.example.com",
            "The value that `aud` must contain: the provider's name for this API."),
        Key(
            "introspection", .scalar(.boolean), fallback: "false",
            "Whether to ask the provider's introspection endpoint (RFC 7662) about each token. If false, the gateway verifies JWT access tokens (RFC 9068) itself and rejects others."
        ),
        Key(
            "scopes", .list(of: .scalar(.scope)), fallback: "[]", example: "[api.read]", "Scopes that a token must have. All are required."),
    ]

    static let bearerValue = ValueType.anyOf([.scalar(.words(["off"])), .mapping(.bearer)])

    static let bearer: [Key] = [
        Key(
            "providers", .list(of: .scalar(.text)), required: true, example: "[oidc.acme]",
            "Providers whose tokens are accepted in `Authorization: Bearer`."),
        Key(
            "nonce", .scalar(.choice(NonceRequirement.self)), fallback: "optional",
            "`required`: the client must send the raw value of the ID token's `nonce` in `X-Gateway-Nonce`. Only ID tokens are accepted then."
        ),
        Key(
            "forward", .scalar(.boolean), fallback: "false",
            "Whether to forward the `Authorization` header with the token to the upstream."),
    ]

    static let exchange: [Key] = [
        Key(
            "providers", .list(of: .scalar(.text)), required: true, example: "[oidc.acme]",
            "Providers whose ID tokens `POST /session` below `pathPrefix` exchanges for a session."),
        Key(
            "nonce", .scalar(.choice(NonceRequirement.self)), fallback: "optional",
            "Whether the raw nonce is required. If sent, it must match the ID token's `nonce`."),
    ]
}
