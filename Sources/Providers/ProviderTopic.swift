/// A section of the index of presets. Each preset belongs to exactly one topic.
package enum ProviderTopic: CaseIterable, Sendable {
    case everyone, workforce, developers, selfHosted, generic

    package var title: String {
        switch self {
        case .everyone: "Accounts of the general public"
        case .workforce: "Accounts of companies and authorities"
        case .developers: "Accounts of developers"
        case .selfHosted: "Identity providers that you run"
        case .generic: "Any other provider"
        }
    }

    /// The ids of the presets.
    package var presets: [String] {
        switch self {
        case .everyone:
            [
                "google.com", "apple.com", "facebook.com", "twitter.com", "yahoo.com", "discord.com", "twitch.tv", "spotify.com",
                "line.me", "kakao.com", "naver.com",
            ]
        case .workforce:
            ["microsoft.com", "okta", "auth0", "cognito", "salesforce.com", "slack.com", "linkedin.com", "login.gov"]
        case .developers: ["github.com", "gitlab.com", "bitbucket.org", "digitalocean.com"]
        case .selfHosted: ["keycloak", "authentik", "zitadel", "hydra", "gitea", "nextcloud"]
        case .generic: ["oidc", "oauth2"]
        }
    }
}

extension ProviderPage {
    /// The sentence that a preset's page starts with.
    package static func purpose(_ preset: ProviderPreset) -> String {
        switch preset.id {
        case "oidc": "This page shows how users sign in with any OpenID Connect provider."
        case "oauth2": "This page shows how users sign in with any OAuth 2.0 provider."
        default: "This page shows how users sign in with \(preset.displayName), using the preset `\(preset.id)`."
        }
    }

    /// The index of the presets by topic, as Markdown.
    package static var index: String {
        let sections = ProviderTopic.allCases.map { topic in
            let rows = topic.presets.compactMap { id in ProviderCatalogue.presets.first { $0.id == id } }.map(self.row)
            return "\n## \(topic.title)\n\n| id | provider | protocol | e-mail address | groups |\n|---|---|---|---|---|\n" + rows.joined()
        }
        return """
            # Providers

            This page lists the presets: providers that the gateway knows, so that you supply only a client ID and a secret. Each has a
            page with an example, the steps at the provider, and the provider's quirks. `gateway providers ID` prints the steps.

            """ + sections.joined()
    }

    private static func row(_ preset: ProviderPreset) -> String {
        let id = self.exampleID(preset)
        let facts = self.facts(preset)
        func fact(_ name: String) -> String { facts.first { $0.name == name }?.value ?? "–" }
        return "| [`\(id)`](\(preset.id).md) | \(preset.displayName) | \(fact("kind")) | \(fact("e-mail")) | \(fact("groups")) |\n"
    }
}
