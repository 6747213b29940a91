// Sources: developers.google.com/identity/openid-connect/reference; GitLab docs/integration/openid_connect_provider;
// the discovery documents of each issuer; developer.yahoo.com/oauth2; dev.twitch.tv/docs/authentication/getting-tokens-oidc;
// developers.line.biz/en/docs/line-login; learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2;
// help.salesforce.com OpenID Connect.
extension ProviderPreset {
    static let google: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "google.com", "Google", issuer: "https://accounts.google.com", admission: .anyoneWithoutParameter("hd"),
            parameters: [
                .init("prompt", ["none", "consent", "select_account"], list: true, "pages that Google must show"),
                .init("hd", "Workspace domain of the account; the ID token must name it"),
                .init("access_type", ["online", "offline"], "`offline` requests a refresh token"),
                .init("include_granted_scopes", ["true", "false"], "incremental authorization"),
                .init("hl", "language of the pages"),
            ],
            consoleSteps: [
                "In the Google Cloud console under APIs & Services, Credentials, create an OAuth client ID of type Web application.",
                "Add {redirectURI} under Authorized redirect URIs.",
            ])
        // Old tokens contain the issuer without its scheme.
        preset.issuerAliases = ["accounts.google.com"]
        preset.clientAuthentication = .post
        preset.enforcedParameters = [EnforcedParameter("hd", claim: "hd")]
        preset.quirks = [
            "With `hd`, the gateway admits only accounts of that Workspace domain: it compares the ID token's `hd` claim. `hd: \"*\"` admits any Workspace account.",
            "Google issues a refresh token only with `access_type: offline`, and only at the first consent unless `prompt: consent` is set.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let gitlab: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "gitlab.com", "GitLab", issuer: "{base}", admission: .anyoneOnHosts(["gitlab.com"]),
            consoleSteps: [
                "In GitLab under User settings (or Admin area), Applications, add a confidential application.",
                "Enter {redirectURI} as the Redirect URI, and select the scopes openid, profile and email.",
            ])
        preset.baseURL = "https://gitlab.com"
        preset.claims.username = "nickname"
        preset.quirks = ["The scopes are set on the application in GitLab. GitLab rejects requests for other scopes."]
        return preset
    }()

    static let yahoo: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "yahoo.com", "Yahoo", issuer: "https://api.login.yahoo.com", admission: .anyone,
            parameters: [
                .init("prompt", ["none", "login", "consent", "select_account"], list: true, "pages that Yahoo must show"),
                .init("language", "language of the pages"),
            ],
            consoleSteps: [
                "On developer.yahoo.com under My Apps, create an app with the OpenID Connect permissions Email and Profile.",
                "Enter {redirectURI} as the Redirect URI. It must use https.",
            ])
        preset.scopesMustMatchConsole = true
        preset.knownScopes = [
            "openid", "profile", "email", "openid2", "mail-r", "mail-w", "mail-x", "sdct-r", "sdct-w", "sdps-r", "fspt-r", "fspt-w",
        ]
        preset.quirks = [
            "The requested scopes must be exactly those granted in Yahoo's console. List them in `preconfiguredScopes`.",
            "Yahoo rejects http redirect URIs, including localhost.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let linkedin: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "linkedin.com", "LinkedIn", issuer: "https://www.linkedin.com/oauth", admission: .anyone,
            consoleSteps: [
                "On linkedin.com/developers, create an app and add the product Sign In with LinkedIn using OpenID Connect.",
                "Add {redirectURI} under Auth, Authorized redirect URLs.",
            ])
        preset.clientAuthentication = .post
        preset.nonce = .ifPresent
        preset.readsLooseBooleans = true
        preset.knownScopes = ["openid", "profile", "email", "w_member_social"]
        preset.quirks = [
            "LinkedIn returns no nonce, so only PKCE and state protect against a swapped code.",
            "LinkedIn no longer grants `r_liteprofile` and `r_emailaddress`.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let twitch: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "twitch.tv", "Twitch", issuer: "https://id.twitch.tv/oauth2", admission: .anyone, scopes: ["openid", "user:read:email"],
            parameters: [.init("force_verify", ["true", "false"], "ask for consent at each sign-in")],
            consoleSteps: ["On dev.twitch.tv/console, register an application with {redirectURI} as the OAuth Redirect URL."])
        preset.clientAuthentication = .post
        // Twitch omits the address unless a claims parameter requests it.
        let wanted = #"{"email":null,"email_verified":null,"picture":null,"preferred_username":null}"#
        preset.defaultParameters = [(name: "claims", value: #"{"id_token":\#(wanted),"userinfo":\#(wanted)}"#)]
        preset.claims.groups = nil
        return preset
    }()

    static let line: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "line.me", "LINE", issuer: "https://access.line.me", admission: .anyone,
            parameters: [
                .init("prompt", ["consent", "none"], "`consent` asks for consent again"),
                .init("bot_prompt", ["normal", "aggressive"], "offer to add the linked official account"),
                .init("initial_amr_display", ["lineqr"], "sign-in method that is shown first"),
                .init("switch_amr", ["true", "false"], "show links to other sign-in methods"),
                .init("disable_auto_login", ["true", "false"], "no automatic sign-in"),
            ],
            consoleSteps: [
                "On developers.line.biz, create a LINE Login channel of type Web app, and apply for the e-mail address permission.",
                "Enter {redirectURI} as the Callback URL.",
            ])
        preset.clientAuthentication = .post
        // Web sign-ins are signed with the channel secret.
        preset.idTokenAlgorithms = ["HS256", "ES256"]
        preset.knownScopes = ["openid", "profile", "email"]
        preset.quirks = ["LINE does not say whether an address is verified, so every address counts as unverified."]
        preset.claims.groups = nil
        return preset
    }()

    // docs.slack.dev/authentication/sign-in-with-slack and reference/methods/openid.connect.token: errors have status 200 and `ok: false`.
    static let slack: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "slack.com", "Slack", issuer: "https://slack.com", admission: .anyone,
            parameters: [.init("team", "id of the workspace, such as T0123ABCD; the ID token must name it")],
            consoleSteps: [
                "On api.slack.com/apps, create an app. Under OAuth & Permissions, add {redirectURI} to the Redirect URLs (https only).",
                "Under User Token Scopes, add openid, profile and email. The client ID and the client secret are under Basic Information.",
            ])
        preset.clientAuthentication = .post
        preset.knownScopes = ["openid", "profile", "email"]
        preset.enforcedParameters = [EnforcedParameter("team", claim: "https://slack.com/team_id")]
        preset.claims.username = nil
        preset.claims.groups = nil
        // A user id belongs to one workspace.
        preset.habits.subjectQualifier = "https://slack.com/team_id"
        preset.quirks = [
            "The subject consists of the workspace id and the user id, `T0123ABCD:U0456EFGH`, because user ids are unique only within a workspace.",
            "With `team`, the gateway admits only members of that workspace: it compares the ID token's team claim.",
            "The scopes `identity.basic` and `identity.email` belong to the old Sign in with Slack and are rejected.",
        ]
        return preset
    }()

    static let salesforce: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "salesforce.com", "Salesforce", issuer: "https://login.salesforce.com", admission: .members,
            parameters: [
                .init("prompt", ["login", "consent", "select_account"], list: true, "pages that Salesforce must show"),
                .init("display", ["page", "popup", "touch", "mobile"], "how the pages are shown"),
                .init("immediate", ["true", "false"], "sign in without a page, or fail"),
            ],
            consoleSteps: [
                "Under Setup, App Manager, create a connected app with OAuth enabled and the scopes openid, profile and email.",
                "Enter {redirectURI} as the Callback URL.",
            ])
        preset.quirks = ["For a sandbox (https://test.salesforce.com) or a My Domain address, set `issuer`."]
        return preset
    }()
}
