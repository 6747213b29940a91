// Sources: developers.google.com/identity/openid-connect/reference; GitLab docs/integration/openid_connect_provider;
// the discovery documents of each issuer; developer.yahoo.com/oauth2; dev.twitch.tv/docs/authentication/getting-tokens-oidc;
// developers.line.biz/en/docs/line-login; learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2;
// help.salesforce.com OpenID Connect.
extension ProviderPreset {
    static let google: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "google.com", "Google", issuer: "https://accounts.google.com", admission: .anyoneWithoutParameter("hd"),
            parameters: [
                .init("prompt", ["none", "consent", "select_account"], list: true, "which pages Google must show"),
                .init("hd", "the Workspace domain to sign in to; the ID token must name it"),
                .init("access_type", ["online", "offline"], "`offline` asks for a refresh token"),
                .init("include_granted_scopes", ["true", "false"], "incremental authorization"),
                .init("hl", "language of the pages"),
            ],
            consoleSteps: [
                "Google Cloud console, APIs & Services, Credentials: create an OAuth client ID of type Web application.",
                "Add {redirectURI} under Authorized redirect URIs.",
            ])
        // Old tokens carry the issuer without its scheme.
        preset.issuerAliases = ["accounts.google.com"]
        preset.clientAuthentication = .post
        preset.enforcedParameters = [EnforcedParameter("hd", claim: "hd")]
        preset.quirks = [
            "With `hd` configured only accounts of that domain pass: the ID token's `hd` is compared. `hd: \"*\"` passes any Workspace account.",
            "A refresh token comes only with `access_type: offline`, and only at the first consent unless `prompt: consent`.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let gitlab: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "gitlab.com", "GitLab", issuer: "{base}", admission: .anyoneOnHosts(["gitlab.com"]),
            consoleSteps: [
                "GitLab, User settings (or Admin area), Applications: add a confidential application.",
                "Enter {redirectURI} as Redirect URI and tick the scopes openid, profile and email.",
            ])
        preset.baseURL = "https://gitlab.com"
        preset.claims.username = "nickname"
        preset.quirks = ["The application's scopes are fixed in GitLab; a scope that is not ticked there is refused."]
        return preset
    }()

    static let yahoo: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "yahoo.com", "Yahoo", issuer: "https://api.login.yahoo.com", admission: .anyone,
            parameters: [
                .init("prompt", ["none", "login", "consent", "select_account"], list: true, "which pages Yahoo must show"),
                .init("language", "language of the pages"),
            ],
            consoleSteps: [
                "developer.yahoo.com, My Apps: create an app with the OpenID Connect permissions Email and Profile.",
                "Enter {redirectURI} as Redirect URI; it must be https.",
            ])
        preset.scopesMustMatchConsole = true
        preset.knownScopes = [
            "openid", "profile", "email", "openid2", "mail-r", "mail-w", "mail-x", "sdct-r", "sdct-w", "sdps-r", "fspt-r", "fspt-w",
        ]
        preset.quirks = [
            "The scopes must equal the permissions that are granted in Yahoo's console, exactly: list these in `preconfiguredScopes`.",
            "Redirect URIs on http are refused, localhost included.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let linkedin: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "linkedin.com", "LinkedIn", issuer: "https://www.linkedin.com/oauth", admission: .anyone,
            consoleSteps: [
                "linkedin.com/developers: create an app and add the product Sign In with LinkedIn using OpenID Connect.",
                "Add {redirectURI} under Auth, Authorized redirect URLs.",
            ])
        preset.clientAuthentication = .post
        preset.nonce = .ifPresent
        preset.readsLooseBooleans = true
        preset.knownScopes = ["openid", "profile", "email", "w_member_social"]
        preset.quirks = [
            "LinkedIn returns no nonce, so a swapped code is caught by PKCE and state alone.",
            "`r_liteprofile` and `r_emailaddress` are no longer granted.",
        ]
        preset.claims.groups = nil
        return preset
    }()

    static let twitch: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "twitch.tv", "Twitch", issuer: "https://id.twitch.tv/oauth2", admission: .anyone, scopes: ["openid", "user:read:email"],
            parameters: [.init("force_verify", ["true", "false"], "ask for consent each time")],
            consoleSteps: ["dev.twitch.tv/console: register an application with {redirectURI} as OAuth Redirect URL."])
        preset.clientAuthentication = .post
        // Twitch leaves the address out unless a claims parameter asks for it.
        let wanted = #"{"email":null,"email_verified":null,"picture":null,"preferred_username":null}"#
        preset.defaultParameters = [(name: "claims", value: #"{"id_token":\#(wanted),"userinfo":\#(wanted)}"#)]
        preset.claims.groups = nil
        return preset
    }()

    static let line: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "line.me", "LINE", issuer: "https://access.line.me", admission: .anyone,
            parameters: [
                .init("prompt", ["consent", "none"], "`consent` asks again"),
                .init("bot_prompt", ["normal", "aggressive"], "offer to add the linked official account"),
                .init("initial_amr_display", ["lineqr"], "the first way to sign in that is shown"),
                .init("switch_amr", ["true", "false"], "show the links to other ways to sign in"),
                .init("disable_auto_login", ["true", "false"], "no automatic sign-in"),
            ],
            consoleSteps: [
                "developers.line.biz: create a LINE Login channel of type Web app; apply for the e-mail address permission.",
                "Enter {redirectURI} as Callback URL.",
            ])
        preset.clientAuthentication = .post
        // Web sign-ins are signed with the channel secret.
        preset.idTokenAlgorithms = ["HS256", "ES256"]
        preset.knownScopes = ["openid", "profile", "email"]
        preset.quirks = ["LINE does not say whether an address is verified: it counts as unverified."]
        preset.claims.groups = nil
        return preset
    }()

    // docs.slack.dev/authentication/sign-in-with-slack and reference/methods/openid.connect.token: `ok: false` comes with status 200.
    static let slack: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "slack.com", "Slack", issuer: "https://slack.com", admission: .anyone,
            parameters: [.init("team", "id of the workspace to sign in to, as T0123ABCD; the ID token must name it")],
            consoleSteps: [
                "api.slack.com/apps: create an app, then OAuth & Permissions: add {redirectURI} under Redirect URLs (https only).",
                "User Token Scopes: add openid, profile and email. Client ID and secret are under Basic Information.",
            ])
        preset.clientAuthentication = .post
        preset.knownScopes = ["openid", "profile", "email"]
        preset.enforcedParameters = [EnforcedParameter("team", claim: "https://slack.com/team_id")]
        preset.claims.username = nil
        preset.claims.groups = nil
        // A user id belongs to one workspace.
        preset.habits.subjectQualifier = "https://slack.com/team_id"
        preset.quirks = [
            "The subject is workspace and user id together, `T0123ABCD:U0456EFGH`: user ids are unique within a workspace.",
            "With `team` configured only members of that workspace pass: the ID token's team is compared.",
            "The scopes `identity.basic`, `identity.email` belong to the old Sign in with Slack and are refused.",
        ]
        return preset
    }()

    static let salesforce: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "salesforce.com", "Salesforce", issuer: "https://login.salesforce.com", admission: .members,
            parameters: [
                .init("prompt", ["login", "consent", "select_account"], list: true, "which pages Salesforce must show"),
                .init("display", ["page", "popup", "touch", "mobile"], "how the pages are shown"),
                .init("immediate", ["true", "false"], "sign in without asking, or fail"),
            ],
            consoleSteps: [
                "Setup, App Manager: create a connected app with OAuth enabled and the scopes openid, profile and email.",
                "Enter {redirectURI} as Callback URL.",
            ])
        preset.quirks = ["Set `issuer` for a sandbox (https://test.salesforce.com) or a My Domain address."]
        return preset
    }()
}
