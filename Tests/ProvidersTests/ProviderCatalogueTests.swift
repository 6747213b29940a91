import Primitives
import Providers
import Testing

@Suite struct ProviderCatalogueTests {
    @Test func `preset ids are unique and all but the generic ones are the contract's`() {
        let ids = ProviderCatalogue.presets.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids where id != ProviderCatalogue.oidc && id != ProviderCatalogue.oauth2 {
            #expect(ProviderCatalogue.contractPresetIDs.contains(id), "\(id)")
        }
        #expect(ProviderCatalogue.contractPresetIDs.count == 29)
    }

    @Test(arguments: ProviderCatalogue.presets.map(\.id))
    func `a preset is complete`(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        #expect(!preset.displayName.isEmpty)
        #expect(preset.consoleSteps.contains { $0.contains("{redirectURI}") })
        #expect(Set(preset.parameters.map(\.name)).count == preset.parameters.count)
        let reserved = ReservedParameters()
        #expect(!preset.parameters.contains { reserved.contains($0.name) })
        #expect(!preset.defaultParameters.contains { reserved.contains($0.name) })
        #expect(Set(preset.baseScopes).count == preset.baseScopes.count)
        switch preset.kind {
        case .oidc:
            #expect(preset.baseScopes.first == "openid")
            // Microsoft's `sub` is another one for each application.
            #expect(preset.claims.subject == (preset.id == "microsoft.com" ? "oid" : "sub"))
            #expect(preset.issuer != nil || preset.requires.contains(.issuer))
        case .oauth2:
            #expect(preset.nonce == .unsupported)
            #expect(preset.requires == [.endpoints] || (preset.endpoints.token != nil && preset.endpoints.userinfo != nil))
        }
    }

    @Test(arguments: ProviderCatalogue.presets.map(\.id))
    func `no template is left when the required settings are given`(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        let site = ProviderSettings.Site(
            issuer: preset.requires.contains(.issuer) ? "https://id.example" : nil,
            baseURL: preset.requires.contains(.baseURL) ? "https://id.example" : nil,
            tenant: "t", realm: "r")
        let settings = ProviderSettings(id: id, preset: preset, site: site, clientID: "c", redirectBase: "https://app.example/_gateway")
        let endpoints = settings.endpoints
        var urls = [settings.issuer, endpoints.authorization, endpoints.token, endpoints.userinfo, endpoints.jwks].compactMap { $0 }
        if let userinfo = endpoints.userinfo, let list = settings.emailEndpoint(userinfo: userinfo) { urls.append(list.url) }
        for url in urls {
            #expect(!url.contains("{"), "\(url)")
            #expect(try AbsoluteURL(parsing: url).isSecure)
        }
        #expect(settings.kind == .oauth2 || settings.discoveryURL?.hasSuffix("/.well-known/openid-configuration") == true)
    }

    @Test(
        "An everyday name of a provider leads to its id",
        arguments: [
            ("entra", "microsoft.com"), ("Entra ID", "microsoft.com"), ("azuread", "microsoft.com"), ("azure-ad", "microsoft.com"),
            ("aad", "microsoft.com"), ("azure", "microsoft.com"), ("ms", "microsoft.com"), ("microsoft", "microsoft.com"),
            ("office365", "microsoft.com"), ("adfs", "oidc.adfs"), ("authelia", "oidc.authelia"), ("dex", "oidc.dex"),
            ("google", "google.com"), ("google-oauth2", "google.com"), ("github", "github.com"), ("gitlab", "gitlab.com"),
            ("apple", "apple.com"), ("facebook", "facebook.com"), ("meta", "facebook.com"), ("twitter", "twitter.com"),
            ("x", "twitter.com"),
            ("slack", "slack.com"), ("linkedin", "linkedin.com"), ("bitbucket", "bitbucket.org"), ("aws", "cognito"), ("Okta", "okta"),
            ("keycloack", "keycloak"), ("github.con", "github.com"),
        ])
    func everydayName(name: String, id: String) {
        #expect(ProviderCatalogue.suggestion(for: name) == id)
        #expect(ProviderCatalogue.preset(for: id) != nil)
    }

    @Test(arguments: ["", "ab", "saml", "my-idp", "example.org"])
    func `a name that is near nothing leads nowhere`(name: String) {
        #expect(ProviderCatalogue.suggestion(for: name) == nil)
    }

    @Test func `no preset names an algorithm without a key but line, which signs with the channel secret`() {
        for preset in ProviderCatalogue.presets where preset.idTokenAlgorithms?.contains("HS256") == true {
            #expect(preset.id == "line.me")
        }
    }

    @Test(arguments: ["client_id", "REDIRECT_URI", "Response_Type", "scope", "state", "id_token_hint", "registration", "resource"])
    func `reserved names are compared without case`(name: String) {
        #expect(ReservedParameters(adding: ["Resource"]).contains(name))
        #expect(!ReservedParameters().contains("login_hint"))
    }

    @Test func `parameters accept what the provider documents`() throws {
        let prompt = try #require(ProviderCatalogue.preset(for: "google.com")?.parameter(named: "prompt"))
        #expect(prompt.accepts("consent select_account"))
        #expect(!prompt.accepts("login"))
        #expect(!prompt.accepts(""))
        let signup = try #require(ProviderCatalogue.preset(for: "github.com/x")?.parameter(named: "allow_signup"))
        #expect(signup.accepts("false"))
        #expect(!signup.accepts("no"))
    }
}
