// Sources: docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps, github.blog changelog 2025-07-14 (PKCE) and
// 2024-06-07 (prompt), docs.github.com/rest/users/emails. RFC 9207: GitHub names itself {base}/login/oauth.
extension ProviderPreset {
    static let github: ProviderPreset = {
        var preset = ProviderPreset.oauth2(
            "github.com", "GitHub", baseURL: "https://github.com",
            endpoints: Endpoints(
                authorization: "{base}/login/oauth/authorize", token: "{base}/login/oauth/access_token",
                userinfo: "https://api.github.com/user"),
            admission: .anyoneOnHosts(["github.com"]), scopes: ["read:user", "user:email"],
            parameters: [
                .init("login", "account to suggest"), .init("allow_signup", ["true", "false"], "offer to create an account"),
                .init("prompt", ["select_account"], "let the user choose an account"),
            ],
            claims: ClaimMapping(subject: "id", email: "email", username: "login", name: "name", picture: "avatar_url"),
            email: .fromEndpoint(
                EmailEndpoint(
                    url: "{userinfo}/emails", list: nil, address: "email", primary: "primary", verified: "verified")),
            consoleSteps: [
                "On GitHub under Settings, Developer settings, OAuth Apps, register a new application.",
                "Enter {redirectURI} as the Authorization callback URL.",
            ])
        preset.selfHostedEndpoints = Endpoints(
            authorization: "{base}/login/oauth/authorize", token: "{base}/login/oauth/access_token", userinfo: "{base}/api/v3/user")
        preset.responseIssuers = ["{base}/login/oauth"]
        preset.clientAuthentication = .post
        // docs.github.com/rest/orgs/orgs and /rest/teams/teams: for the signed-in user, 100 per page, with Link headers.
        let readsOrganisations = ProviderHabits.GroupEndpoint.Trigger.scopes(["read:org", "write:org", "admin:org"])
        preset.habits.groupEndpoints = [
            .init(trigger: readsOrganisations, url: "{userinfo}/orgs?per_page=100", parts: ["login"]),
            .init(trigger: readsOrganisations, url: "{userinfo}/teams?per_page=100", parts: ["organization.login", "slug"]),
        ]
        preset.apiHeaders = [("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")]
        preset.knownScopes = [
            "repo", "repo:status", "repo_deployment", "public_repo", "repo:invite", "security_events", "admin:repo_hook", "write:repo_hook",
            "read:repo_hook",
            "admin:org", "write:org", "read:org", "admin:public_key", "write:public_key", "read:public_key", "admin:org_hook", "gist",
            "notifications",
            "user", "read:user", "user:email", "user:follow", "project", "read:project", "delete_repo", "write:packages", "read:packages",
            "delete:packages",
            "admin:gpg_key", "write:gpg_key", "read:gpg_key", "codespace", "workflow", "read:audit_log",
        ]
        preset.quirks = [
            "GitHub answers a failed token request with status 200.",
            "The e-mail address is the primary address from `/user/emails`, which has its own `verified` flag.",
            "With the scope `read:org`, organisations and teams become groups: `acme`, `acme:admins`. An organisation may have to approve the app first.",
            "Users can change their `login`. The numeric id identifies the user.",
        ]
        return preset
    }()
}
