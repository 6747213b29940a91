import Accounts
import Decisions
import Exchanges
import HTTPWire
import KeptSessions
import Logging
import NIOCore
import NIOPosix
import RecordedExchanges
import Sessions
import Telemetry
import Testing
import TokenCrypto

@testable import Serving

@Suite("The admin interface")
struct AdminSessionsTests {
    private static let token = "admin-token-0123456789"
    private static let limits = SessionLimits(idle: 3_600_000, absolute: 86_400_000)

    private let store: WaitingStore?
    private let sessions: SessionService

    private init(keepsSessions: Bool) {
        let memory = SharedSessions()
        let kept = keepsSessions ? WaitingStore(limits: Self.limits) : nil
        let contents = SessionContents(keepsAccessToken: false, referencedClaims: [], referencedGroups: [], groupClaims: [:])
        let sealed = SealedCookieStore(
            seal: SessionSeal(keys: [[UInt8](repeating: 5, count: 32)], cookieName: "session", publicURL: "https://app.example"),
            limits: Self.limits, memory: memory)
        store = kept
        sessions = SessionService(
            store: kept ?? sealed, cookies: SessionCookies(publicURL: true), limits: Self.limits, contents: contents,
            activity: SessionActivity(), refresher: SessionRefresher(providers: [:], contents: contents, now: wallClock) { _, _ in }
        ) { _ in nil }
    }

    init() { self.init(keepsSessions: true) }

    private func signIn(_ name: String) async throws -> Session {
        try await sessions.issue(
            for: VerifiedSignIn(
                account: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.a", issuer: "https://a.example", subject: name)),
                authTime: nil, providerSessionID: nil, tokens: .init()),
            replacing: nil, to: SessionBrowser(SessionClient(userAgent: "Test", address: "192.0.2.1"), cookieNames: []), now: wallClock()
        ).session
    }

    private func response(
        _ method: String, _ target: String, _ headers: [String] = ["Authorization: Bearer \(token)"], token: String? = token
    ) async throws -> RecordingExchange.Response {
        var buffer = ByteBuffer(
            string: "\(method) \(target) HTTP/1.1\r\nHost: admin\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        let head = try #require(try parser.parse(&buffer))
        let log = EventLog(level: .critical, format: .json, writer: LogWriter(descriptor: -1))
        let admin = AdminSessions(token: token, sessions: sessions, log: log)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await loop.flatSubmit {
            let exchange = RecordingExchange(head, body: "", on: loop)
            AdminHandler(readiness: { Readiness(checks: []) }, metrics: { [] }, sessions: { admin }).handle(exchange)
            return exchange.response
        }.get()
    }

    private func isAlive(_ session: Session) async throws -> Bool { try await !sessions.store.isEnded(session, now: wallClock()) }

    @Test func `it lists a user's sessions`() async throws {
        let session = try await signIn("ada")
        _ = try await signIn("bob")
        let listed = try await response("GET", "/sessions?user=\(session.uid)")
        #expect(listed.status == 200 && listed.lines.contains("Cache-Control: no-store"))
        let records = try #require(try JSONValue(parsing: listed.body).array)
        #expect(records.count == 1)
        #expect(records[0]["id"]?.string == session.reference && records[0]["uid"]?.string == session.uid)
        #expect(records[0]["user_agent"]?.string == "Test" && records[0]["current"] == nil)
        #expect(try await response("GET", "/sessions?user=nobody").body == "[]\n")
    }

    @Test func `it ends one session, a user's, or everyone's`() async throws {
        let ada = [try await signIn("ada"), try await signIn("ada"), try await signIn("ada")]
        let bob = try await signIn("bob")
        let carol = try await signIn("carol")
        #expect(try await response("DELETE", "/sessions/\(ada[0].reference)").status == 204)
        #expect(try await !isAlive(ada[0]))
        #expect(try await isAlive(ada[1]))
        #expect(try await response("DELETE", "/sessions/\(ada[0].reference)").status == 404)
        #expect(try await response("DELETE", "/sessions?user=\(ada[1].uid)").status == 204)
        for session in ada { #expect(try await !isAlive(session)) }
        #expect(try await isAlive(bob))
        #expect(try await response("DELETE", "/sessions?user=nobody").status == 204)
        for target in ["/sessions?", "/sessions?user=", "/sessions/", "/sessions?all=1"] {
            #expect(try await response("DELETE", target).status == 400)
        }
        #expect(try await response("DELETE", "/sessions", ["Authorization: Bearer \(Self.token)", "Content-Length: 9"]).status == 400)
        #expect(try await isAlive(bob))
        #expect(try await response("DELETE", "/sessions").status == 204)
        #expect(try await !isAlive(bob))
        #expect(try await !isAlive(carol))
    }

    @Test(
        "a wrong or missing token is refused before anything is read",
        arguments: [
            [], ["Authorization: Bearer"], ["Authorization: Bearer "], ["Authorization: Bearer x"], ["Authorization: \(token)"],
            ["Authorization: Basic \(token)"], ["Authorization: Bearer \(token)x"], ["Authorization: Bearer \(token.dropLast())"],
            ["Authorization: Bearer \(token.uppercased())"], ["Cookie: token=\(token)"],
        ])
    func unauthorized(headers: [String]) async throws {
        let session = try await signIn("ada")
        for (method, target) in [
            ("GET", "/sessions?user=\(session.uid)"), ("DELETE", "/sessions"), ("DELETE", "/sessions/x"), ("POST", "/sessions"),
            ("DELETE", "/sessions?"), ("GET", "/sessions/"),
        ] {
            let refused = try await response(method, target, headers)
            #expect(refused.status == 401 && refused.lines.contains("WWW-Authenticate: Bearer"), "\(method) \(target)")
            #expect(!refused.body.contains(session.reference))
        }
        #expect(try await isAlive(session))
    }

    @Test("without a token there is no interface", arguments: [nil, ""] as [String?])
    func absent(token: String?) async throws {
        for method in ["GET", "DELETE", "POST"] {
            for target in ["/sessions", "/sessions?user=u", "/sessions/x"] {
                for headers in [[], ["Authorization: Bearer "], ["Authorization: Bearer \(Self.token)"]] {
                    #expect(try await response(method, target, headers, token: token).status == 404)
                }
            }
        }
        #expect(try await response("POST", "/metrics", token: token).status == 405)
    }

    @Test func `the sealed cookie ends users and everyone, and supports nothing else`() async throws {
        let bench = AdminSessionsTests(keepsSessions: false)
        let ada = try await bench.signIn("ada")
        let bob = try await bench.signIn("bob")
        for (method, target) in [
            ("GET", "/sessions?user=\(ada.uid)"), ("DELETE", "/sessions/\(ada.reference)"), ("DELETE", "/sessions/x"),
        ] {
            let refused = try await bench.response(method, target)
            #expect(refused.status == 409 && refused.body.contains("auth/unsupported"))
        }
        #expect(try await bench.isAlive(ada))
        #expect(try await bench.response("DELETE", "/sessions?user=\(ada.uid)").status == 204)
        #expect(try await !bench.isAlive(ada))
        #expect(try await bench.isAlive(bob))
        #expect(try await bench.response("DELETE", "/sessions").status == 204)
        #expect(try await !bench.isAlive(bob))
    }

    @Test func `a store that does not respond is a 503`() async throws {
        store?.isDown = true
        for (method, target) in [("GET", "/sessions?user=u"), ("DELETE", "/sessions"), ("DELETE", "/sessions?user=u")] {
            let refused = try await response(method, target)
            #expect(refused.status == 503 && refused.lines.contains("Retry-After: 5\r\n"))
            #expect(refused.body.contains("auth/store-unavailable"))
        }
    }
}
