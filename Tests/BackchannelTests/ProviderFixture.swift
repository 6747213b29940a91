import Accounts
import Backchannel
import Logging
import NIOCore
import NIOPosix
import Providers
import Sessions
import SignIn
import Synchronization
import Testing
import TokenCrypto

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_767_225_600_000)
    var now: Int64 { self.milliseconds.withLock { $0 } }
    func advance(by delta: Int64) { self.milliseconds.withLock { $0 += delta } }
}

/// Gathers what is logged, at every level.
final class LogRecorder: Sendable {
    private let lines = Mutex("")
    var text: String { self.lines.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "test", factory: { _ in Handler(recorder: self) })
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.recorder.lines.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
        }
    }
}

/// An OpenID provider on loopback that behaves, until a test replaces one of its answers, with a client for it.
final class ProviderFixture: Sendable {
    typealias Override = @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply?

    let server: ScriptedServer
    let clock = ManualClock()
    let transport: ProviderTransport
    let transactions = LoginTransactions(
        ring: SealingKeyRing(keys: [[UInt8](repeating: 1, count: 32)], purpose: "login"),
        cookies: LoginCookies(HostCookies(name: "session", secure: false)), store: emptyStore())
    private let keys: Mutex<[SigningKey]>
    private let overrides = Mutex<[String: Override]>([:])
    private let nonce = Mutex<String?>(nil)

    /// Made once: the provider's first key.
    private static let firstKey = SigningKey.generate(.es256, keyID: "k1")

    private init(timeout: Duration) async throws {
        self.server = try await ScriptedServer()
        self.transport = ProviderTransport(group: MultiThreadedEventLoopGroup.singleton, timeout: timeout)
        self.keys = Mutex([Self.firstKey])
        self.server.script { [weak self] request in self?.reply(to: request) ?? .hangUp }
    }

    /// Runs a test with a fixture and ends its server and client afterwards. Without a silent server, no call reaches the time limit.
    static func run(timeout: Duration = .seconds(600), _ body: (ProviderFixture) async throws -> Void) async throws {
        let fixture = try await ProviderFixture(timeout: timeout)
        do {
            try await body(fixture)
        } catch {
            await fixture.end()
            throw error
        }
        await fixture.end()
    }

    private func end() async {
        await self.server.stop()
        try? await self.transport.shutdown()
    }

    var issuer: String { self.server.origin }

    /// Answers `path` by `reply`; nil from it falls back to the well-behaved answer.
    func replace(_ path: String, _ reply: @escaping Override) { self.overrides.withLock { $0[path] = reply } }
    func restore(_ path: String) { self.overrides.withLock { $0[path] = nil } }

    /// The provider signs with a new key and publishes it alone.
    func rotateKeys(to id: String) { self.keys.withLock { $0 = [SigningKey.generate(.es256, keyID: id)] } }

    func settings(_ change: (inout ProviderSettings) -> Void = { _ in }) throws -> ProviderSettings {
        let preset = try #require(ProviderCatalogue.preset(for: "oidc.acme"))
        var settings = ProviderSettings(
            id: "oidc.acme", preset: preset, site: .init(issuer: self.issuer), clientID: "acme-web",
            redirectBase: "http://127.0.0.1:4180/_gateway")
        settings.clientSecret = .init("a:b+c %/é")
        change(&settings)
        return settings
    }

    private static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    func client(
        logger: Logger = silent, _ change: (inout ProviderSettings) -> Void = { _ in },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Task.sleep(for: .seconds(3600)) }
    ) throws -> ProviderClient {
        self.client(for: try self.settings(change), logger: logger, sleep: sleep)
    }

    func client(
        for settings: ProviderSettings, logger: Logger = silent,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Task.sleep(for: .seconds(3600)) }
    ) -> ProviderClient {
        let clock = self.clock
        return ProviderClient(
            settings: settings, transactions: self.transactions, transport: self.transport,
            logger: logger, now: { clock.now }, sleep: sleep)
    }

    /// Begins a sign-in and plays the browser: the callback's query (with `extra`) and the cookies.
    func callback(
        _ client: ProviderClient, answer: String = "code=the-code"
    ) async throws -> (parameters: UnverifiedCallback, cookies: [(name: String, value: String)]) {
        let start = try await client.beginLogin(returnPath: "/deep")
        let mark = try #require(start.url.firstIndex(of: "?"))
        let fields = try #require(FormCoding.fields(of: String(start.url[start.url.index(after: mark)...])))
        self.nonce.withLock { $0 = fields.first { $0.name == "nonce" }?.value }
        let state = try #require(fields.first { $0.name == "state" }?.value)
        let pair = try #require(start.setCookies.last).prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        return (try UnverifiedCallback(parsing: "\(answer)&state=\(state)"), [(name: String(pair[0]), value: String(pair[1]))])
    }

    /// A whole sign-in.
    func signIn(_ client: ProviderClient) async throws -> CompletedLogin {
        let callback = try await self.callback(client)
        return try await client.completeLogin(callback.parameters, cookies: callback.cookies)
    }

    /// The refusal of a whole sign-in.
    func refusal(_ client: ProviderClient) async throws -> SignInError {
        try await #require(throws: SignInError.self) { try await self.signIn(client) }
    }

    /// An ID token of this provider; nil in `change` leaves a claim out.
    func idToken(_ change: [String: JSONValue?] = [:]) -> String {
        var claims: [String: JSONValue] = [
            "iss": .string(self.issuer), "aud": .string("acme-web"), "sub": .string("alice"), "exp": .integer(self.clock.now / 1000 + 300),
            "iat": .integer(self.clock.now / 1000), "sid": .string("sid-1"),
        ]
        claims["nonce"] = self.nonce.withLock { $0 }.map(JSONValue.string)
        for (name, value) in change { claims[name] = value }
        return self.keys.withLock { $0[0] }.sign(payload: .object(claims))
    }

    /// A session as a sign-in makes it.
    func session(_ client: ProviderClient) async throws -> Session {
        let login = try await self.signIn(client)
        return Session.issue(
            for: AccountOutcome(withoutStore: login.verified), authTime: login.authTime, providerSessionID: login.providerSessionID,
            tokens: login.tokens, now: self.clock.now)
    }

    func logoutToken() -> String {
        self.idToken(["nonce": nil, "jti": .string("j-1"), "events": .object([LogoutTokenVerifier.event: .object([:])])])
    }

    func tokenAnswer(_ change: [String: JSONValue?] = [:], idToken: String? = nil) -> ScriptedServer.Reply {
        var members: [String: JSONValue] = [
            "access_token": .string("at-1"), "token_type": .string("Bearer"), "expires_in": .integer(300), "refresh_token": .string("rt-1"),
            "id_token": .string(idToken ?? self.idToken()),
        ]
        for (name, value) in change { members[name] = value }
        return .json(JSONValue.object(members).serialized())
    }

    func discovery(_ change: [String: JSONValue?] = [:]) -> ScriptedServer.Reply {
        var members: [String: JSONValue] = [
            "issuer": .string(self.issuer), "id_token_signing_alg_values_supported": .array([.string("ES256")]),
        ]
        for (name, path) in [
            ("authorization_endpoint", "/authorize"), ("token_endpoint", "/token"), ("jwks_uri", "/jwks"),
            ("userinfo_endpoint", "/userinfo"),
            ("end_session_endpoint", "/logout"), ("revocation_endpoint", "/revoke"),
        ] { members[name] = .string(self.issuer + path) }
        for (name, value) in change { members[name] = value }
        return .json(JSONValue.object(members).serialized())
    }

    private func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
        let path = String(request.target.prefix { $0 != "?" })
        if let reply = self.overrides.withLock({ $0[path] })?(request) { return reply }
        switch path {
        case "/.well-known/openid-configuration": return self.discovery()
        case "/jwks":
            return .json(JSONValue.object(["keys": .array(self.keys.withLock { $0 }.map(\.publicJWK))]).serialized())
        case "/token": return self.tokenAnswer()
        case "/userinfo": return .json(#"{"sub":"alice","email":"alice@x.example","email_verified":true,"groups":["staff"]}"#)
        case "/revoke": return .answer(status: 200, headers: [], body: [])
        default: return .html(status: 404)
        }
    }
}

extension ProviderClient {
    func beginLogin(returnPath: String, requestParameters: [(name: String, value: String)] = []) async throws(SignInError) -> LoginStart {
        try await self.logins.begin(returnPath: returnPath, requestParameters: requestParameters)
    }

    func completeLogin(
        _ parameters: UnverifiedCallback, cookies: [(name: String, value: String)]
    ) async throws(SignInError) -> CompletedLogin {
        try await self.logins.complete(parameters, cookies: cookies)
    }
}

func emptyStore() -> SealedCookieStore {
    SealedCookieStore(
        seal: SessionSeal(keys: [[UInt8](repeating: 1, count: 32)], cookieName: "session", publicURL: ""),
        limits: SessionLimits(idle: 3_600_000, absolute: 86_400_000), memory: SharedSessions())
}
