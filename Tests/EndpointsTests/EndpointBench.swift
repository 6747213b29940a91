import Access
import Accounts
import Config
import Decisions
import Exchanges
import HTTPWire
import KeptSessions
import Logging
import NIOCore
import NIOPosix
import Primitives
import RecordedExchanges
import Sessions
import SignIn
import Telemetry
import TokenCrypto

@testable import Endpoints

/// Own endpoints of one configuration without a server. Handlers run on a real event loop.
struct EndpointBench: Sendable {
    let context: EndpointContext

    /// `keepsSessions`: with a store that keeps sessions itself, not with the sealed cookie.
    init(keepsSessions: Bool = false, _ change: (inout Configuration) -> Void = { _ in }) throws {
        var configuration = Configuration()
        configuration.server.publicURL = Origin(scheme: "https", host: "app.example", port: 443)
        change(&configuration)
        let site = try SiteContext(configuration)
        let memory = SharedSessions()
        let keys = [[UInt8](repeating: 7, count: 32)]
        let store: any SessionStore =
            keepsSessions
            ? WaitingStore(limits: site.limits)
            : SealedCookieStore(
                seal: SessionSeal(keys: keys, cookieName: site.cookies.effectiveName, publicURL: site.publicURL?.text ?? ""),
                limits: site.limits, memory: memory)
        let contents = SessionContents(keepsAccessToken: false, referencedClaims: [], referencedGroups: [], groupClaims: [:])
        let sessions = SessionService(
            store: store, cookies: site.cookies, limits: site.limits, contents: contents, activity: memory.activity,
            refresher: SessionRefresher(providers: [:], contents: contents, now: wallClock) { _, _ in }
        ) { _ in nil }
        context = EndpointContext(
            site: site, sessions: sessions, clients: [:],
            transactions: LoginTransactions(
                ring: SealingKeyRing(keys: keys, purpose: "login"), cookies: LoginCookies(HostCookies(name: "session", secure: true)),
                store: store),
            logoutRing: SealingKeyRing(keys: keys, purpose: "logout"),
            log: EventLog(level: .critical, format: .json, writer: LogWriter(descriptor: -1)), counters: EventCounters(),
            onceNotices: OnceNotices(), auditGate: nil)
    }

    /// The head of a request; `headers`: complete lines.
    static func head(_ method: String, _ path: String, _ headers: [String] = []) throws -> RequestHead {
        var buffer = ByteBuffer(
            string: "\(method) \(path) HTTP/1.1\r\nHost: app.example\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        guard let head = try parser.parse(&buffer) else { throw WireError.requestLineMalformed }
        return head
    }

    /// The response to a request. `rows`: instead of the gateway's endpoints. `meddle`: runs right after the handler was called.
    func response(
        _ method: String, _ path: String, _ headers: [String] = [], body: String = "", rows: [Endpoint]? = nil,
        meddle: @escaping @Sendable (RecordingExchange) -> Void = { _ in }
    ) async throws -> RecordingExchange.Response {
        let head = try Self.head(method, "/_gateway" + path, headers)
        let context = context
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await loop.flatSubmit {
            let endpoints = rows.map { Endpoints(context, EndpointTable(context.site, $0)) } ?? Endpoints(context)
            let exchange = RecordingExchange(head, body: body, on: loop)
            let facts = ConnectionFacts(peer: "192.0.2.7", isLocalSocket: false, isSecure: true, trusted: CIDRSet())
            let request = RequestContext(facts)
            request.begin(RequestID())
            endpoints.handle(exchange, request, path: String(path.prefix { $0 != "?" }))
            meddle(exchange)
            return exchange.response
        }.get()
    }

    /// A live session, as the `Cookie` line of a request.
    func sessionCookie(
        of name: String, client: SessionClient = SessionClient(userAgent: "Bench", address: "192.0.2.7")
    ) async throws -> String {
        let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a.example", subject: name)
        let issued = try await context.sessions.issue(
            for: VerifiedSignIn(
                account: AccountOutcome(supposing: identity), authTime: nil, providerSessionID: nil, tokens: Session.Tokens()),
            replacing: nil, to: SessionBrowser(client, cookieNames: []), now: wallClock())
        return "Cookie: " + issued.setCookies.map { $0.prefix { $0 != ";" } }.joined(separator: "; ")
    }
}
