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
                .init("auth_type", ["rerequest", "reauthenticate"], "ask for a declined permission, or for the password, again"),
                .init("auth_nonce", "a value of yours that a re-authentication returns"),
                .init("display", ["page", "popup", "touch", "wap"], "how the pages are shown"),
                .init("config_id", "a configuration of Facebook Login for Business"),
            ],
            claims: ClaimMapping(subject: "id", email: "email", name: "name", picture: "picture.data.url"), email: .neverVouched,
            consoleSteps: [
                "developers.facebook.com: create an app with the use case Authenticate with Facebook Login.",
                "Add {redirectURI} under Facebook Login, Settings, Valid OAuth Redirect URIs.",
                "App settings, Advanced: turn `Require app secret` on; the gateway sends `appsecret_proof` with each call.",
            ])
        preset.selfHostedEndpoints = Endpoints(
            authorization: "{base}/{version}dialog/oauth", token: "{base}/{version}oauth/access_token",
            userinfo: "{base}/{version}me?fields=id,name,email,picture")
        preset.clientAuthentication = .post
        preset.habits.provesAppSecret = true
        preset.habits.asksWhoseTokenItIs = true
        preset.quirks = [
            "Facebook does not say whether an address is verified, and an account may have none.",
            "`apiVersion: v21.0` pins the Graph version; without it the oldest version that the app may use answers.",
            "`debug_token` must name this app and the same person for the access token, or nobody is signed in.",
        ]
        return preset
    }()
}
