// Sources: developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow (endpoints, parameters, debug_token),
// /docs/graph-api/guides/secure-requests (appsecret_proof), /docs/graph-api/guides/error-handling (error objects),
// /docs/graph-api/reference/user (an address may be absent; nothing says that it is verified).
extension ProviderPreset {
    static let facebook: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "facebook.com", "Facebook", baseURL: "https://www.facebook.com",
            endpoints: Endpoints(
                authorization: "{base}/{version}dialog/oauth", token: "https://graph.facebook.com/{version}oauth/access_token",
                userinfo: "https://graph.facebook.com/{version}me?fields=id,name,email,picture"),
            admission: .anyone, scopes: ["email", "public_profile"],
            parameters: [
                .init("auth_type", ["rerequest", "reauthenticate"], "ask again for a declined permission or for the password"),
                .init("auth_nonce", "value that a re-authentication returns"),
                .init("display", ["page", "popup", "touch", "wap"], "how the pages are shown"),
                .init("config_id", "configuration of Facebook Login for Business"),
            ],
            claims: ClaimMapping(subject: "id", email: "email", name: "name", picture: "picture.data.url"), email: .neverVouched,
            consoleSteps: [
                "On developers.facebook.com, create an app with the use case Authenticate with Facebook Login.",
                "Add {redirectURI} under Facebook Login, Settings, Valid OAuth Redirect URIs.",
                "Under App settings, Advanced, turn on `Require app secret`. The gateway sends `appsecret_proof` with each call.",
            ])
        preset.selfHostedEndpoints = Endpoints(
            authorization: "{base}/{version}dialog/oauth", token: "{base}/{version}oauth/access_token",
            userinfo: "{base}/{version}me?fields=id,name,email,picture")
        preset.clientAuthentication = .post
        preset.habits.provesAppSecret = true
        preset.habits.asksWhoseTokenItIs = true
        preset.quirks = [
            "Facebook does not say whether an address is verified, and an account may have none.",
            "`apiVersion: v21.0` pins the Graph API version. Without it, Facebook uses the oldest version available to the app.",
            "The gateway rejects an access token unless `debug_token` names this app and the same user.",
        ]
        return preset
    }()
}
