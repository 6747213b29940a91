import Providers
import Synchronization
import TokenCrypto

@testable import SignIn

/// The keys of the scripted provider, made once: key generation is slow.
enum ScriptKeys {
    static let current = SigningKey.generate(.es256, keyID: "k1")
    static let next = SigningKey.generate(.es256, keyID: "k2")
    static let foreign = SigningKey.generate(.es256, keyID: "k1")

    static func set(_ keys: [SigningKey]) -> JWKSet {
        (try? JWKSet(parsing: .object(["keys": .array(keys.map(\.publicJWK))]))) ?? .empty
    }
}

/// The answers of a provider during one login. The default is a login that succeeds.
struct LoginScript: Sendable {
    enum Reply: Sendable {
        case answer(ProviderAnswer)
        case failure(SignInError)

        static func json(_ text: String, status: Int = 200) -> Reply {
            .answer(ProviderAnswer(status: status, contentType: "application/json", body: Array(text.utf8)))
        }
    }

    var settings = oidcSettings()
    var metadata: [String: JSONValue] = [:]
    var connectFailure: SignInError?
    /// nil: tokens with an ID token of `claims`.
    var token: Reply?
    /// Claims of the ID token; nil leaves one out.
    var claims: [String: JSONValue?] = [:]
    var signer = ScriptKeys.current
    var published = [ScriptKeys.current]
    /// nil: the keys may not be fetched again.
    var publishedLater: [SigningKey]?
    var keysFailure: SignInError?
    var userinfo = Reply.json(#"{"sub":"alice","email":"alice@x.example","email_verified":true}"#)
}

/// A provider without sockets: answers as its script says, and records the calls in order.
final class ScriptedProvider: IdentityProvider, IdentityProviderConnection {
    let script: LoginScript
    let endpoints: ResolvedProvider
    private let state = Mutex((steps: [String](), nonce: String?.none))

    init(_ script: LoginScript) throws {
        self.script = script
        var document: [String: JSONValue] = [
            "issuer": .string("https://id.example"), "authorization_endpoint": .string("https://id.example/a"),
            "token_endpoint": .string("https://id.example/t"), "jwks_uri": .string("https://id.example/k"),
            "userinfo_endpoint": .string("https://id.example/u"),
            "id_token_signing_alg_values_supported": .array([.string("ES256")]),
        ]
        document.merge(script.metadata) { $1 }
        let isOpenID = script.settings.kind == .oidc
        self.endpoints = try ResolvedProvider(
            settings: script.settings,
            metadata: isOpenID ? ProviderMetadata(.object(document), issuer: "https://id.example") : nil)
    }

    var settings: ProviderSettings { self.script.settings }
    var verifier: IDTokenVerifier? {
        guard self.settings.kind == .oidc else { return nil }
        return IDTokenVerifier(settings: self.settings, algorithms: self.endpoints.idTokenAlgorithms)
    }

    var steps: [String] { self.state.withLock { $0.steps } }
    func clearSteps() { self.state.withLock { $0.steps = [] } }
    /// The nonce of the authorization request, which the ID token repeats.
    func authorize(nonce: String?) { self.state.withLock { $0.nonce = nonce } }
    private func record(_ step: String) { self.state.withLock { $0.steps.append(step) } }

    func connect() async throws(SignInError) -> any IdentityProviderConnection {
        self.record("connect")
        if let failure = self.script.connectFailure { throw failure }
        return self
    }

    func post(
        _ fields: [(name: String, value: String)], to url: String, proofKey: ProofKey?, calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        self.record("POST \(url)")
        return try self.answer(self.script.token ?? .json(self.tokens()))
    }

    func get(
        _ url: String, _ access: AccessCredential, headers: [(name: String, value: String)], calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        self.record("GET \(url) with \(access.token)")
        return try self.answer(self.script.userinfo)
    }

    func keys(for source: TokenSource) async throws(SignInError) -> ProviderKeys? {
        self.record("keys")
        if let failure = self.script.keysFailure { throw failure }
        return ProviderKeys(keys: ScriptKeys.set(self.script.published), version: 1)
    }

    func keys(newerThan version: Int, for source: TokenSource) async throws(SignInError) -> ProviderKeys? {
        self.record("newer keys")
        return self.script.publishedLater.map { ProviderKeys(keys: ScriptKeys.set($0), version: 2) }
    }

    func report(_ notice: ProviderNotice) { self.record("report \(notice)") }

    private func answer(_ reply: LoginScript.Reply) throws(SignInError) -> ProviderAnswer {
        switch reply {
        case .answer(let answer): return answer
        case .failure(let failure): throw failure
        }
    }

    private func tokens() -> String {
        var claims: [String: JSONValue] = [
            "iss": .string("https://id.example"), "aud": .string("acme-web"), "sub": .string("alice"), "exp": .integer(epoch / 1000 + 300),
            "iat": .integer(epoch / 1000), "sid": .string("sid-1"),
        ]
        claims["nonce"] = self.state.withLock { $0.nonce }.map(JSONValue.string)
        for (name, value) in self.script.claims { claims[name] = value }
        return JSONValue.object([
            "access_token": .string("at-1"), "token_type": .string("Bearer"), "expires_in": .integer(300), "refresh_token": .string("rt-1"),
            "id_token": .string(self.script.signer.sign(payload: .object(claims))),
        ]).serialized()
    }
}
