import Testing

@testable import Pages

private func svg(_ id: String) -> String { ProviderIcon(providerID: id, displayName: "Acme").svg.source }

@Suite struct ProviderIconTests {
    @Test func `Google, Microsoft, Apple and GitHub have their own marks, in the colors of their guidelines`() {
        for color in ["#EA4335", "#4285F4", "#FBBC05", "#34A853"] { #expect(svg("google.com").contains("fill=\"\(color)\"")) }
        for color in ["#F25022", "#7FBA00", "#00A4EF", "#FFB900"] { #expect(svg("microsoft.com").contains("fill=\"\(color)\"")) }
        for preset in ["apple.com", "github.com"] {
            #expect(svg(preset).contains("fill=\"currentColor\"") && !svg(preset).contains("fill=\"#"))
        }
        for preset in ["google.com", "microsoft.com", "apple.com", "github.com"] {
            #expect(ProviderIcon(providerID: preset, displayName: "A").isMark && !svg(preset).contains("class=\"tile\""))
        }
    }

    @Test func `a second client of a provider has the provider's mark`() {
        #expect(svg("github.com/partners") == svg("github.com"))
        #expect(svg("google.com/staff") == svg("google.com"))
    }

    @Test func `GitHub and GitLab have different pictures, and GitLab's is ours`() {
        #expect(svg("github.com") != svg("gitlab.com"))
        #expect(svg("gitlab.com") != svg("bitbucket.org"))
        #expect(!ProviderIcon(providerID: "gitlab.com", displayName: "GitLab").isMark)
    }

    @Test(arguments: ["oidc.google.com", "oidc.github", "google.community", "GitHub.com"])
    func `only the preset of a provider has its mark`(id: String) {
        #expect(!ProviderIcon(providerID: id, displayName: "Acme").isMark)
    }
}
