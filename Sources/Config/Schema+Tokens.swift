/// Keys about tokens: those that programs bring, those that the app gets, and how the provider hands them out.
extension Schema {
    /// Keys of a provider.
    static let providerTokens: [Key] = [
        Key("accessTokens", .mapping(.accessTokens), "Access tokens of this provider that `bearer` takes, besides its ID tokens."),
        Key(
            "pushedAuthorization", .scalar(.choice(ProviderConfiguration.Use.self)), fallback: "auto",
            "Pushed authorization requests (RFC 9126): `auto` when the provider requires them, `required` always, `off` never."),
        Key(
            "dpop", .scalar(.choice(ProviderConfiguration.Use.self)), fallback: "auto",
            "Tokens bound to a key of the session (RFC 9449): `auto` when the provider advertises it for ES256 and no header carries the access token, `required` always, `off` never."
        ),
    ]

    static let accessTokens: [Key] = [
        Key(
            "audience", .scalar(.text), required: true, example: "https://api.example.com",
            "What `aud` must hold: the name under which the provider knows this API."),
        Key(
            "introspection", .scalar(.boolean), fallback: "false",
            "Ask the provider's introspection endpoint (RFC 7662) about each token; absent: JWT access tokens (RFC 9068) are checked here, and others are refused."
        ),
        Key("scopes", .list(of: .scalar(.scope)), fallback: "[]", example: "[api.read]", "Scopes that a token must have, all of them."),
    ]

    static let bearerValue = ValueType.anyOf([.scalar(.words(["off"])), .mapping(.bearer)])

    static let bearer: [Key] = [
        Key(
            "providers", .list(of: .scalar(.text)), required: true, example: "[oidc.acme]",
            "Whose tokens are taken from `Authorization: Bearer`."),
        Key(
            "nonce", .scalar(.choice(NonceRequirement.self)), fallback: "optional",
            "`required`: the request proves the ID token's `nonce` with its raw value in `X-Gateway-Nonce`; then only ID tokens are taken."),
        Key(
            "forward", .scalar(.boolean), fallback: "false",
            "Whether the upstream gets the `Authorization` header with the token; otherwise it ends here."),
    ]

    static let exchange: [Key] = [
        Key(
            "providers", .list(of: .scalar(.text)), required: true, example: "[oidc.acme]",
            "Whose ID tokens `POST /session` under `pathPrefix` exchanges for a session."),
        Key(
            "nonce", .scalar(.choice(NonceRequirement.self)), fallback: "optional",
            "Whether the raw nonce must come along; where it comes, it must be the ID token's."),
    ]
}
