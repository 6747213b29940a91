import Providers
import SignIn
import Testing
import TokenCrypto

@Suite struct ProviderMetadataTests {
    private func document(_ change: [String: JSONValue?] = [:]) -> JSONValue {
        var members: [String: JSONValue] = [
            "issuer": .string("https://id.example"), "authorization_endpoint": .string("https://id.example/a"),
            "token_endpoint": .string("https://id.example/t"), "jwks_uri": .string("https://id.example/k"),
            "userinfo_endpoint": .string("https://id.example/u"), "end_session_endpoint": .string("https://id.example/l"),
        ]
        for (name, value) in change { members[name] = value }
        return .object(members)
    }

    private func resolve(_ change: [String: JSONValue?] = [:], _ settings: (inout ProviderSettings) -> Void = { _ in }) throws
        -> ResolvedProvider
    {
        let settings = oidcSettings(settings)
        return try ResolvedProvider(
            settings: settings,
            metadata: ProviderMetadata(self.document(change), issuer: "https://id.example", overrides: settings.endpoints))
    }

    @Test(arguments: ["https://id.example/", "https://ID.example", "http://id.example", "https://id.example ", ""])
    func `Discovery 4.3: another issuer is refused and both are named`(issuer: String) throws {
        let refusal = try #require(throws: ProviderMetadata.Refusal.self) { try self.resolve(["issuer": .string(issuer)]) }
        #expect(refusal.reason.contains("\"\(issuer)\""))
        #expect(refusal.reason.contains("\"https://id.example\""))
    }

    @Test(
        arguments: [
            ("issuer", nil, "the discovery document names no issuer"),
            ("authorization_endpoint", nil, "the discovery document has no authorization_endpoint"),
            ("token_endpoint", .null, "the discovery document has no token_endpoint"),
            ("jwks_uri", .integer(1), "jwks_uri is not a string"),
            ("token_endpoint", .string("http://id.example/t"), "token_endpoint is on plain http"),
            ("userinfo_endpoint", .string("ftp://id.example"), "userinfo_endpoint is not an http or https URL"),
            ("end_session_endpoint", .string("javascript:alert(1)"), "end_session_endpoint is not an http or https URL"),
            ("id_token_signing_alg_values_supported", .string("RS256"), "id_token_signing_alg_values_supported is not a list"),
            (
                "authorization_response_iss_parameter_supported", .string("true"),
                "authorization_response_iss_parameter_supported is not a boolean"
            ),
            (
                "pushed_authorization_request_endpoint", .string("http://id.example/par"),
                "pushed_authorization_request_endpoint is on plain http"
            ),
            ("dpop_signing_alg_values_supported", .string("ES256"), "dpop_signing_alg_values_supported is not a list"),
        ] as [(String, JSONValue?, String)])
    func `a document that cannot be used is refused with the member`(name: String, value: JSONValue?, reason: String) throws {
        let refusal = try #require(throws: ProviderMetadata.Refusal.self) { try self.resolve([name: value]) }
        #expect(refusal.reason == reason)
    }

    @Test func `RFC 9126 5: pushed where it is required or configured, and refused where that cannot be`() throws {
        let offered: [String: JSONValue?] = ["pushed_authorization_request_endpoint": .string("https://id.example/par")]
        let required = offered.merging(["require_pushed_authorization_requests": .bool(true)]) { $1 }
        #expect(try self.resolve(offered).pushedAuthorization == nil)
        #expect(try self.resolve(required).pushedAuthorization == "https://id.example/par")
        #expect(try self.resolve(offered) { $0.pushedAuthorization = .required }.pushedAuthorization == "https://id.example/par")
        #expect(throws: ResolvedProvider.Refusal.self) { try self.resolve(required) { $0.pushedAuthorization = .off } }
        #expect(throws: ResolvedProvider.Refusal.self) { try self.resolve { $0.pushedAuthorization = .required } }
        #expect(throws: ResolvedProvider.Refusal.self) { try self.resolve(["require_pushed_authorization_requests": .bool(true)]) }
    }

    @Test func `RFC 9449 5_1: bound where ES256 is advertised or configured, and refused where that cannot be`() throws {
        func advertised(_ names: String...) -> [String: JSONValue?] {
            ["dpop_signing_alg_values_supported": .array(names.map(JSONValue.string))]
        }
        #expect(try !self.resolve().usesDPoP)
        #expect(try self.resolve(advertised("RS256", "ES256")).usesDPoP)
        #expect(try !self.resolve(advertised("RS256")).usesDPoP)
        #expect(try !self.resolve(advertised("ES256")) { $0.dpop = .off }.usesDPoP)
        #expect(try self.resolve { $0.dpop = .required }.usesDPoP)
        #expect(throws: ResolvedProvider.Refusal.self) { try self.resolve(advertised("RS256")) { $0.dpop = .required } }
    }

    @Test func `loopback may be plain http, overrides win over the document`() throws {
        let resolved = try self.resolve(["token_endpoint": .string("http://127.0.0.1:1/t"), "jwks_uri": .string("ftp://x")]) {
            $0.endpoints.jwks = "https://keys.example/k"
        }
        #expect(resolved.token == "http://127.0.0.1:1/t")
        #expect(resolved.jwks == "https://keys.example/k")
    }

    @Test(
        arguments: [
            (nil, nil, [.rs256]), (nil, ["ES256", "HS256", "none"], [.es256]), (nil, ["HS256"], [.rs256]), (["HS256"], ["RS256"], [.hs256]),
            (["RS256", "XX"], nil, [.rs256]),
        ] as [([String]?, [String]?, Set<JWSAlgorithm>)])
    func `algorithms are the configured ones, else the asymmetric ones listed, else RS256`(
        configured: [String]?, listed: [String]?, expected: Set<JWSAlgorithm>
    )
        throws
    {
        let list: JSONValue? = listed.map { .array($0.map(JSONValue.string)) }
        #expect(
            try self.resolve(["id_token_signing_alg_values_supported": list]) { $0.idTokenAlgorithms = configured }.idTokenAlgorithms
                == expected)
    }

    @Test(
        arguments: [
            (nil, .basic), (["client_secret_post"], .post), (["client_secret_post", "client_secret_basic"], .basic),
        ] as [([String]?, ProviderPreset.ClientAuthentication)])
    func `Discovery 3: the client authenticates by what is listed, basic by default`(
        listed: [String]?, expected: ProviderPreset.ClientAuthentication
    ) throws {
        let list: JSONValue? = listed.map { .array($0.map(JSONValue.string)) }
        #expect(try self.resolve(["token_endpoint_auth_methods_supported": list]).clientAuthentication == expected)
    }

    @Test func `a provider that takes none of our ways to authenticate is refused, as is an endpoint override on plain http`() {
        #expect(throws: ResolvedProvider.Refusal.self) {
            try self.resolve(["token_endpoint_auth_methods_supported": .array([.string("tls_client_auth")])])
        }
        #expect(throws: ResolvedProvider.Refusal.self) { try self.resolve { $0.endpoints.token = "http://id.example/t" } }
    }

    @Test func `plain OAuth 2.0 needs no metadata but a userinfo endpoint`() throws {
        #expect(try ResolvedProvider(settings: oauth2Settings(), metadata: nil).token == "https://github.com/login/oauth/access_token")
        #expect(throws: ResolvedProvider.Refusal.self) {
            try ResolvedProvider(settings: oauth2Settings { $0.endpoints.userinfo = nil }, metadata: nil)
        }
    }
}
