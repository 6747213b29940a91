// Sources: docs.x.com/fundamentals/authentication/oauth-2-0; discord.com/developers/docs/topics/oauth2;
// support.atlassian.com/bitbucket-cloud use-oauth-on-bitbucket-cloud; developer.spotify.com/documentation/web-api;
// docs.digitalocean.com/reference/api/oauth; developers.naver.com/docs/login/api; docs.nextcloud.com admin oauth2.
extension ProviderPreset {
    static let twitter: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "twitter.com", "X (Twitter)", baseURL: "https://x.com",
            endpoints: Endpoints(
                authorization: "https://x.com/i/oauth2/authorize", token: "https://api.x.com/2/oauth2/token",
                userinfo: "https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url,confirmed_email"),
            admission: .anyone, scopes: ["users.read", "tweet.read"],
            claims: ClaimMapping(
                subject: "data.id", email: "data.confirmed_email", username: "data.username", name: "data.name",
                picture: "data.profile_image_url"),
            email: .neverVouched,
            consoleSteps: [
                "On developer.x.com, create an app of type Web App with OAuth 2.0, and enter {redirectURI} as the Callback URI."
            ])
        preset.clientAuthentication = .basic
        preset.quirks = ["`/2/users/me` needs both base scopes. `users.email` adds the address, and `offline.access` adds a refresh token."]
        return preset
    }()

    static let discord: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "discord.com", "Discord", baseURL: "https://discord.com",
            endpoints: Endpoints(
                authorization: "{base}/oauth2/authorize", token: "{base}/api/oauth2/token", userinfo: "{base}/api/users/@me",
                revocation: "{base}/api/oauth2/token/revoke"),
            admission: .anyone, scopes: ["identify", "email"],
            parameters: [.init("prompt", ["consent", "none"], "`none` skips the consent page after the first sign-in")],
            claims: ClaimMapping(
                subject: "id", email: "email", emailVerified: "verified", username: "username", name: "global_name", locale: "locale"),
            email: .claim,
            consoleSteps: ["On discord.com/developers/applications, create an application, and add {redirectURI} under OAuth2, Redirects."])
        preset.clientAuthentication = .post
        preset.knownScopes = [
            "identify", "email", "guilds", "guilds.join", "guilds.members.read", "connections", "openid", "role_connections.write",
        ]
        preset.habits.groupEndpoints = [.init(trigger: .scopes(["guilds"]), url: "{userinfo}/guilds", parts: ["id"])]
        preset.quirks = ["With the scope `guilds`, the ids of the user's servers become groups."]
        return preset
    }()

    static let bitbucket: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "bitbucket.org", "Bitbucket", baseURL: "https://bitbucket.org",
            endpoints: Endpoints(
                authorization: "{base}/site/oauth2/authorize", token: "{base}/site/oauth2/access_token",
                userinfo: "https://api.bitbucket.org/2.0/user"),
            admission: .anyone, scopes: ["account", "email"],
            claims: ClaimMapping(subject: "uuid", username: "username", name: "display_name", picture: "links.avatar.href"),
            email: .fromEndpoint(
                EmailEndpoint(
                    url: "{userinfo}/emails", list: "values", address: "email", primary: "is_primary",
                    verified: "is_confirmed")),
            consoleSteps: [
                "In Bitbucket under Workspace settings, OAuth consumers, add a private consumer with the permissions Account: Email and Read.",
                "Enter {redirectURI} as the Callback URL.",
            ])
        preset.scopesMustMatchConsole = true
        preset.clientAuthentication = .basic
        preset.quirks = ["The scopes are set on the consumer. A sign-in cannot request fewer scopes."]
        return preset
    }()

    static let spotify: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "spotify.com", "Spotify", baseURL: "https://accounts.spotify.com",
            endpoints: Endpoints(authorization: "{base}/authorize", token: "{base}/api/token", userinfo: "https://api.spotify.com/v1/me"),
            admission: .anyone, scopes: ["user-read-email"],
            parameters: [.init("show_dialog", ["true", "false"], "ask for consent at each sign-in")],
            claims: ClaimMapping(subject: "id", email: "email", name: "display_name"), email: .neverVouched,
            consoleSteps: ["On developer.spotify.com/dashboard, create an app with {redirectURI} as a Redirect URI."])
        preset.clientAuthentication = .basic
        preset.quirks = ["Spotify does not verify addresses."]
        return preset
    }()

    static let digitalOcean: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "digitalocean.com", "DigitalOcean", baseURL: "https://cloud.digitalocean.com",
            endpoints: Endpoints(
                authorization: "{base}/v1/oauth/authorize", token: "{base}/v1/oauth/token",
                userinfo: "https://api.digitalocean.com/v2/account",
                revocation: "{base}/v1/oauth/revoke"),
            admission: .anyone, scopes: ["read"],
            claims: ClaimMapping(
                subject: "account.uuid", email: "account.email", emailVerified: "account.email_verified", name: "account.name"),
            email: .claim,
            consoleSteps: [
                "On cloud.digitalocean.com under API, OAuth Applications, register an application with {redirectURI} as the Callback URL."
            ])
        preset.clientAuthentication = .post
        return preset
    }()

    static let naver: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "naver.com", "Naver", baseURL: "https://nid.naver.com",
            endpoints: Endpoints(
                authorization: "{base}/oauth2.0/authorize", token: "{base}/oauth2.0/token", userinfo: "https://openapi.naver.com/v1/nid/me"),
            admission: .anyone, scopes: [],
            parameters: [.init("auth_type", ["reprompt", "reauthenticate"], "ask again for consent or for the password")],
            claims: ClaimMapping(
                subject: "response.id", email: "response.email", username: "response.nickname", name: "response.name",
                picture: "response.profile_image"),
            email: .neverVouched,
            consoleSteps: [
                "On developers.naver.com, register an application with Naver Login and {redirectURI} as the Callback URL. Select the data that the application may read."
            ])
        preset.clientAuthentication = .post
        preset.quirks = ["Naver has no scopes. The data that the application may read is set in Naver's console."]
        return preset
    }()

    // developers.kakao.com/docs/latest/en/kakaologin/rest-api: /v2/user/me; an address must be valid and verified.
    static let kakao: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "kakao.com", "Kakao", baseURL: "https://kauth.kakao.com",
            endpoints: Endpoints(
                authorization: "{base}/oauth/authorize", token: "{base}/oauth/token", userinfo: "https://kapi.kakao.com/v2/user/me"),
            admission: .anyone, scopes: ["account_email", "profile_nickname", "profile_image"],
            parameters: [
                .init("prompt", ["login", "none", "select_account", "create"], "pages that Kakao must show"),
                .init("login_hint", "account to fill in"), .init("service_terms", "tags of the terms that need consent"),
            ],
            claims: ClaimMapping(
                subject: "id", email: "kakao_account.email", emailVerified: "kakao_account.is_email_verified",
                name: "kakao_account.profile.nickname", picture: "kakao_account.profile.profile_image_url"),
            email: .claim,
            consoleSteps: [
                "On developers.kakao.com, add an application under My Application. Activate Kakao Login and add {redirectURI} as a Redirect URI.",
                "Under Consent Items, turn on nickname, profile image and e-mail. The e-mail item requires a business app.",
                "The client ID is the REST API key. Create and activate the client secret under Kakao Login, Security.",
            ])
        preset.scopeSeparator = ","
        preset.scopesMustMatchConsole = true
        preset.clientAuthentication = .post
        preset.habits.emailAlsoVerifiedBy = "kakao_account.is_email_valid"
        preset.quirks = [
            "An address counts as verified only if both `is_email_valid` and `is_email_verified` are true.",
            "If a requested scope is not turned on under Consent Items, the sign-in fails (KOE205).",
        ]
        return preset
    }()

    static let nextcloud: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "nextcloud", "Nextcloud", baseURL: nil,
            endpoints: Endpoints(
                authorization: "{base}/index.php/apps/oauth2/authorize", token: "{base}/index.php/apps/oauth2/api/v1/token",
                userinfo: "{base}/ocs/v2.php/cloud/user?format=json"),
            admission: .members, scopes: [],
            claims: ClaimMapping(
                subject: "ocs.data.id", email: "ocs.data.email", username: "ocs.data.id", name: "ocs.data.displayname",
                groups: "ocs.data.groups"),
            email: .neverVouched,
            consoleSteps: [
                "In Nextcloud under Administration settings, Security, add an OAuth 2.0 client with {redirectURI} as the redirection URI."
            ])
        preset.requires = [.baseURL]
        preset.clientAuthentication = .post
        preset.apiHeaders = [("OCS-APIRequest", "true")]
        return preset
    }()
}
