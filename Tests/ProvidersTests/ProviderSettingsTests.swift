import Primitives
import Config
import Providers
import Testing

@Suite struct ProviderSettingsTests {
    private func configuration(_ provider: ProviderConfiguration, reserved: [String] = []) -> Configuration {
        var configuration = Configuration()
        configuration.server.publicURL = Origin(scheme: "https", host: "app.example", port: 443)
        configuration.reservedParameters = reserved
        configuration.providers = [provider]
        return configuration
    }

    private func settings(_ provider: ProviderConfiguration, reserved: [String] = []) throws -> ProviderSettings {
        try #require(self.configuration(provider, reserved: reserved).providerSettings.first)
    }

    @Test func `github is its preset with the configuration laid over it`() throws {
        var provider = ProviderConfiguration(id: "github.com/partners", clientID: "Iv1.x")
        provider.clientSecret = Secret("hunter2hunter2")
        provider.scopes = ["read:org", "user:email"]
        provider.customParameters = [("allow_signup", "false")]
        let settings = try self.settings(provider)
        #expect(settings.redirectURI == "https://app.example/_gateway/callback/github.com~partners")
        #expect(settings.scopes == ["read:user", "user:email", "read:org"])
        #expect(settings.endpoints.token == "https://github.com/login/oauth/access_token")
        #expect(settings.endpoints.userinfo == "https://api.github.com/user")
        #expect(settings.identityIssuer == "https://github.com")
        #expect(settings.responseIssuers == ["https://github.com", "https://github.com/login/oauth"])
        #expect(settings.clientAuthentication == .post)
        #expect(settings.discoveryURL == nil)
        #expect(settings.admitsAnyone)
        #expect(!"\(settings)".contains("hunter2"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test func `github enterprise takes its API from the base URL`() throws {
        var provider = ProviderConfiguration(id: "github.com", clientID: "x")
        provider.baseURL = "https://github.example.com/"
        let settings = try self.settings(provider)
        #expect(settings.endpoints.authorization == "https://github.example.com/login/oauth/authorize")
        #expect(settings.endpoints.userinfo == "https://github.example.com/api/v3/user")
        let emails = try #require(settings.emailEndpoint(userinfo: settings.endpoints.userinfo ?? ""))
        #expect(emails.url == "https://github.example.com/api/v3/user/emails")
        #expect(settings.identityIssuer == "https://github.example.com")
        #expect(!settings.admitsAnyone)
    }

    @Test(arguments: [
        ("https://id.example", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/realms/x", "https://id.example/realms/x/.well-known/openid-configuration"),
    ])
    func `Discovery 4.1: the well-known path is appended to the issuer's path, the issuer stays byte for byte`(issuer: String, url: String)
        throws
    {
        var provider = ProviderConfiguration(id: "oidc.acme", clientID: "x")
        provider.issuer = issuer
        let settings = try self.settings(provider)
        #expect(settings.issuer == issuer)
        #expect(settings.discoveryURL == url)
    }

    @Test func `with authorization, token and key endpoints given nothing is discovered`() throws {
        var provider = ProviderConfiguration(id: "oidc.acme", clientID: "x")
        provider.issuer = "https://id.example"
        provider.endpoints.authorization = "https://id.example/a"
        provider.endpoints.token = "https://id.example/t"
        #expect(try self.settings(provider).discoveryURL != nil)
        provider.endpoints.jwks = "https://id.example/k"
        #expect(try self.settings(provider).discoveryURL == nil)
    }

    @Test func `reserved names never reach the parameters`() throws {
        var provider = ProviderConfiguration(id: "oidc.acme", clientID: "x")
        provider.issuer = "https://id.example"
        provider.customParameters = [("Resource", "r"), ("login_hint", "a"), ("audience", "b"), ("STATE", "c")]
        provider.requestParameters = ["login_hint", "state", "resource"]
        provider.reservedParameters = ["audience"]
        let settings = try self.settings(provider, reserved: ["resource"])
        #expect(settings.parameters.map(\.name) == ["login_hint"])
        #expect(settings.requestParameters == ["login_hint"])
    }

    @Test func `keycloak's issuer is base and realm`() throws {
        var provider = ProviderConfiguration(id: "keycloak", clientID: "x")
        provider.baseURL = "https://kc.example"
        provider.realm = "staff"
        let settings = try self.settings(provider)
        #expect(settings.issuer == "https://kc.example/realms/staff")
        #expect(!settings.admitsAnyone)
    }

    @Test func `google admits anyone unless hd names a domain, and its old issuer is an alias`() throws {
        var provider = ProviderConfiguration(id: "google.com", clientID: "x")
        #expect(try self.settings(provider).admitsAnyone)
        #expect(try self.settings(provider).issuerAliases == ["accounts.google.com"])
        provider.customParameters = [("hd", "*")]
        #expect(try self.settings(provider).admitsAnyone)
        provider.customParameters = [("hd", "example.com")]
        #expect(try !self.settings(provider).admitsAnyone)
    }

    @Test(arguments: [
        ("google.com", true), ("github.com", true), ("twitter.com", false), ("spotify.com", false), ("naver.com", false),
        ("oauth2.x", false),
        ("discord.com", true),
    ])
    func `some providers never vouch for an address`(id: String, vouches: Bool) throws {
        var provider = ProviderConfiguration(id: id, clientID: "x")
        #expect(try self.settings(provider).vouchesForEmail == vouches)
        provider.trustEmail = true
        #expect(try self.settings(provider).vouchesForEmail)
    }

    @Test func `an oauth2 provider vouches once a claim is named`() throws {
        var provider = ProviderConfiguration(id: "oauth2.x", clientID: "x")
        provider.claims.emailVerified = "verified"
        provider.endpoints.token = "https://Login.Example:443/token"
        provider.issuer = "https://label.example"
        provider.baseURL = "https://base.example"
        let settings = try self.settings(provider)
        #expect(settings.vouchesForEmail)
        #expect(settings.identityIssuer == "https://login.example")
    }

    @Test func `a client without secret is public, with a key alone it signs`() throws {
        var provider = ProviderConfiguration(id: "oidc.x", clientID: "x")
        #expect(try self.settings(provider).clientAuthentication == ProviderPreset.ClientAuthentication.none)
        provider.privateKey = Secret("pem")
        #expect(try self.settings(provider).clientAuthentication == .privateKeyJWT)
        provider.clientSecret = Secret("secretsecret")
        #expect(try self.settings(provider).clientAuthentication == nil)
        provider.clientAuthentication = .post
        #expect(try self.settings(provider).clientAuthentication == .post)
    }

    @Test func `a disabled provider is left out`() {
        var provider = ProviderConfiguration(id: "google.com", clientID: "x")
        provider.enabled = false
        #expect(self.configuration(provider).providerSettings.isEmpty)
    }
}
