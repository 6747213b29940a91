import Primitives
import Providers
import SignIn
import Synchronization
import Testing
import TokenCrypto

@testable import Backchannel

@Suite("How the client proves itself") struct ClientAuthenticationTests {
    @Test(
        "RFC 7523 2.2: private_key_jwt signs with what the key is for and the provider takes",
        arguments: [
            (JWSAlgorithm.rs256, nil, "RS256"), (.rs256, ["PS256", "RS256"], "PS256"), (.rs256, ["RS256"], "RS256"),
            (.rs256, ["PS256"], "PS256"),
            (.es256, nil, "ES256"), (.es256, ["RS256", "ES256"], "ES256"), (.edDSA, nil, "EdDSA"), (.edDSA, ["EdDSA"], "EdDSA"),
            (.es384, nil, "ES384"), (.es256, ["RS256"], nil), (.edDSA, ["RS256", "ES256"], nil),
        ] as [(JWSAlgorithm, [String]?, String?)])
    func algorithms(key: JWSAlgorithm, listed: [String]?, used: String?) async throws {
        let signing = SigningKey.generate(key, keyID: "client-key")
        try await ProviderFixture.run { provider in
            provider.replace("/.well-known/openid-configuration") { _ in
                provider.discovery([
                    "token_endpoint_auth_methods_supported": .array([.string("private_key_jwt")]),
                    "token_endpoint_auth_signing_alg_values_supported": listed.map { .array($0.map(JSONValue.string)) },
                ])
            }
            let client = try provider.client {
                $0.clientSecret = nil
                $0.privateKey = .init(signing.pem)
                $0.keyID = "client-key"
                $0.clientAuthentication = .privateKeyJWT
            }
            guard let used else {
                let error = await #expect(throws: SignInError.self) { try await client.beginLogin(returnPath: "/") }
                #expect(error?.reason.contains("private key") == true)
                return
            }
            _ = try await provider.signIn(client)
            let request = try #require(provider.server.requests(to: "/token").first)
            let fields = try #require(FormCoding.fields(of: request.body))
            let assertion = try #require(fields.first { $0.name == "client_assertion" }?.value)
            let token = try UnverifiedJWS(compact: assertion)
            #expect(token.algorithm == used)
            var jwk = signing.publicJWK.object ?? [:]
            jwk["alg"] = .string(used)
            let claims = try token.verified(
                with: JWKSet(parsing: .object(["keys": .array([.object(jwk)])])), secret: nil,
                allowed: [try #require(JWSAlgorithm(rawValue: used))])
            #expect(claims["aud"] == .string(provider.issuer))
            #expect(claims["jti"]?.string?.isEmpty == false)
        }
    }

    @Test(
        "RFC 6749 2.3.1: any secret gets there whole, in the header and in the body",
        arguments: ["a:b+c %/é", "100%25", "&=?#", "\"quotes\\", "  spaces  ", "日本", String(repeating: "x", count: 500)])
    func secrets(secret: String) async throws {
        try await ProviderFixture.run { provider in
            for method in [ProviderPreset.ClientAuthentication.basic, .post] {
                let client = try provider.client {
                    $0.clientSecret = .init(secret)
                    $0.clientAuthentication = method
                }
                _ = try await provider.signIn(client)
                let request = try #require(provider.server.requests(to: "/token").last)
                if method == .post {
                    #expect(FormCoding.fields(of: request.body)?.first { $0.name == "client_secret" }?.value == secret)
                } else {
                    let encoded = try #require(request.header("Authorization")?.dropFirst("Basic ".count))
                    let pair = String(decoding: try #require(Base64.decode(String(encoded))), as: UTF8.self)
                    let colon = try #require(pair.firstIndex(of: ":"))
                    #expect(FormCoding.fields(of: "s=" + pair[pair.index(after: colon)...])?.first?.value == secret)
                }
            }
        }
    }

    @Test func `a secret or key whose file changes is used at the next request, an unusable one is not`() async throws {
        let first = SigningKey.generate(.es256, keyID: "k"), second = SigningKey.generate(.es256, keyID: "k")
        let file = Mutex<String?>(first.pem)
        let log = LogRecorder()
        try await ProviderFixture.run { provider in
            let settings = try provider.settings {
                $0.clientSecret = nil
                $0.privateKey = .init(first.pem)
                $0.keyID = "k"
                $0.clientAuthentication = .privateKeyJWT
            }
            let clock = provider.clock
            let client = ProviderClient(
                settings: settings, transactions: provider.transactions, transport: provider.transport, logger: log.logger,
                now: { clock.now }, secretFiles: ClientSecretFiles(privateKey: { file.withLock { $0 } }),
                sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
            func isSigned(by key: SigningKey) throws -> Bool {
                let fields = FormCoding.fields(of: try #require(provider.server.requests(to: "/token").last).body) ?? []
                let token = try UnverifiedJWS(compact: try #require(fields.first { $0.name == "client_assertion" }?.value))
                let keys = try JWKSet(parsing: .object(["keys": .array([key.publicJWK])]))
                return (try? token.verified(with: keys, secret: nil, allowed: [.es256])) != nil
            }
            _ = try await provider.signIn(client)
            #expect(try isSigned(by: first))
            file.withLock { $0 = second.pem }
            _ = try await provider.signIn(client)
            #expect(try isSigned(by: second))
            for text in ["half a key", "", nil] {
                file.withLock { $0 = text }
                _ = try await provider.signIn(client)
                #expect(try isSigned(by: second))
            }
            #expect(log.text.contains("the old one stays"))
            #expect(!log.text.contains("half a key"))
        }
    }

    @Test func `a changed secret also verifies ID tokens that are signed with it`() async throws {
        let secret = Mutex("0123456789abcdef0123456789abcdef")
        try await ProviderFixture.run { provider in
            let settings = try provider.settings {
                $0.clientSecret = .init(secret.withLock { $0 })
                $0.idTokenAlgorithms = ["HS256"]
            }
            let clock = provider.clock
            let client = ProviderClient(
                settings: settings, transactions: provider.transactions, transport: provider.transport, logger: LogRecorder().logger,
                now: { clock.now }, secretFiles: ClientSecretFiles(secret: { secret.withLock { $0 } }),
                sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
            provider.replace("/token") { _ in
                let claims = try? UnverifiedJWS(compact: provider.idToken()).payload
                return provider.tokenAnswer(
                    idToken: HMACSigner.sign(
                        payload: claims ?? .null, algorithm: .hs256, secret: Array(secret.withLock { $0 }.utf8)))
            }
            _ = try await provider.signIn(client)
            secret.withLock { $0 = "another-secret-of-32-characters-" }
            _ = try await provider.signIn(client)
        }
    }
}
