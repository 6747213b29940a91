import Config
import Diagnostics
import Providers
import Testing

@testable import Lint

@Suite struct StarterConfigurationTests {
    @Test(
        "The starter of each provider validates without a finding",
        arguments: ProviderCatalogue.presets.map(\.id).filter { $0 != "oidc" && $0 != "oauth2" } + [
            "oidc.acme", "oauth2.legacy", "github.com/partners",
        ])
    func starter(id: String) throws {
        let starter = try #require(StarterConfiguration.make(provider: id))
        let outcome = Linter.check(SourceFile(name: "gateway.yaml", text: starter.text), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [], "\(starter.text)")
        let configuration = try #require(outcome.configuration)
        #expect(configuration.providers.map(\.id) == [id])
        #expect(configuration.settings(for: configuration.providers[0])?.redirectURI == starter.redirectURI)
        #expect(starter.text.contains(starter.redirectURI))
        if let variable = starter.secretVariable { #expect(starter.text.contains("${env:\(variable)}")) }
    }

    @Test("The configuration on each provider's page is valid, without a finding", arguments: ProviderCatalogue.presets.map(\.id))
    func page(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        let page = ProviderPage.markdown(preset)
        let block = try #require(page.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
        let rest = """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            session: { keys: ["${file:./session.key}"] }
            routes: [{ path: /**, access: { users: [] } }]

            """
        let outcome = Linter.check(SourceFile(name: "gateway.yaml", text: rest + block), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [], "\(block)")
        #expect(outcome.configuration?.providers.map(\.id) == [ProviderPage.exampleID(preset)])
    }

    @Test(
        "There is no starter for what is no provider of this version",
        arguments: ["acme", "", "oidc", "oidc."] + ProviderCatalogue.contractPresetIDs.filter { ProviderCatalogue.preset(for: $0) == nil })
    func unknown(id: String) {
        #expect(StarterConfiguration.make(provider: id) == nil)
    }

    @Test func `The secret's variable is named after the provider`() {
        #expect(StarterConfiguration.make(provider: "github.com")?.secretVariable == "GITHUB_CLIENT_SECRET")
        #expect(StarterConfiguration.make(provider: "oidc.my-acme")?.secretVariable == "MY_ACME_CLIENT_SECRET")
        #expect(StarterConfiguration.make(provider: "oidc.1st")?.secretVariable == "_1ST_CLIENT_SECRET")
    }
}
