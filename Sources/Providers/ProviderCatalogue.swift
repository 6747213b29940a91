/// Every provider preset of this version.
package enum ProviderCatalogue {
    /// The key of the generic OpenID Connect preset, `oidc.<slug>`.
    package static let oidc = "oidc"
    /// The key of the generic OAuth 2.0 preset, `oauth2.<slug>`.
    package static let oauth2 = "oauth2"

    /// Named presets and the two generic ones.
    package static let presets: [ProviderPreset] =
        [
            .google, .github, .gitlab, .yahoo, .linkedin, .facebook, .apple, .microsoft, .twitter, .discord, .bitbucket, .slack, .twitch,
            .spotify, .digitalOcean, .line, .kakao, .naver, .salesforce, .loginGov,
            .okta, .auth0, .keycloak, .cognito, .zitadel, .authentik, .hydra, .gitea, .nextcloud,
        ] + [.genericOIDC, .genericOAuth2]

    /// The preset ids of the contract, except `oidc.<slug>` and `oauth2.<slug>`.
    package static let contractPresetIDs: [String] = [
        "google.com", "github.com", "yahoo.com", "facebook.com", "apple.com", "microsoft.com", "twitter.com", "linkedin.com", "gitlab.com",
        "bitbucket.org", "discord.com", "slack.com", "twitch.tv", "spotify.com", "okta", "auth0", "keycloak", "cognito", "salesforce.com",
        "zitadel", "authentik", "hydra", "line.me", "kakao.com", "naver.com", "digitalocean.com", "login.gov", "gitea", "nextcloud",
    ]

    /// The preset for an id; nil if this version has none.
    package static func preset(for id: ProviderID) -> ProviderPreset? { self.presets.first { $0.id == id.preset } }

    package static func preset(for id: String) -> ProviderPreset? {
        guard let id = try? ProviderID(parsing: id) else { return nil }
        return self.preset(for: id)
    }

    /// The id that was probably meant: equal but for case, a common name, or at most two edits away.
    package static func suggestion(for text: String) -> String? {
        let lowered = text.lowercased()
        if self.contractPresetIDs.contains(lowered) { return lowered }
        if let known = ProviderAliases.id(for: lowered) { return known }
        return self.contractPresetIDs
            .map { (id: $0, distance: editDistance(lowered, $0)) }
            // Any two short names are two edits apart.
            .filter { $0.distance <= 2 && $0.distance * 2 < lowered.utf8.count }
            .min { $0.distance < $1.distance }?.id
    }

    private static func editDistance(_ a: String, _ b: String) -> Int {
        let a = Array(a.utf8.prefix(64)), b = Array(b.utf8)
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = above
            }
        }
        return row[b.count]
    }
}
