import Access
import Accounts
import Config
import HTTPWire
import NIOCore
import Primitives
import Sessions
import Testing

@testable import Decisions

/// A permit is reused for requests with the same inputs only: what is decided does not depend on the requests before it.
@Suite("Permits that depend on the request")
struct RequestInputsTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let trusted = ["10.0.0.0/8"]

    private static func site(_ rule: AccessRule) throws -> Site {
        var configuration = Configuration()
        configuration.server.trustedProxies = trusted
        var route = RouteConfiguration()
        route.path = "/u/{name}/**"
        route.access = rule
        route.upstream = UpstreamConfiguration(targets: [UpstreamAddress(scheme: .http, endpoint: .tcp(host: "127.0.0.1", port: 1))])
        configuration.routes.append(route)
        return try Site(configuration, cookies: SessionCookies(publicURL: false), hsts: nil)
    }

    private static func rule(_ change: (inout AccessConditions) -> Void) -> AccessRule {
        var conditions = AccessConditions()
        change(&conditions)
        return .all(conditions)
    }

    private static func caller(_ site: Site) -> Caller {
        let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "alice")
        let session = Session.issue(
            for: AccountOutcome(supposing: identity), authTime: now, providerSessionID: nil, tokens: .init(), now: now)
        return Caller(session, site.identity, site.limits.session, now: now)
    }

    /// A request, the address of its peer, and whether it comes over TLS.
    private struct Request {
        let head: RequestHead
        let peer: String
        let isSecure: Bool

        init(_ text: String, peer: String = "192.0.2.1", isSecure: Bool = false) throws {
            var parser = RequestHeadParser(limits: HeadLimits())
            var buffer = ByteBuffer(string: "\(text)\r\nCookie: session=sealed\r\n\r\n")
            head = try #require(try parser.parse(&buffer))
            self.peer = peer
            self.isSecure = isSecure
        }
    }

    /// They differ from each other in one thing, or in the way in which it is written.
    private static func requests() throws -> [Request] {
        let line = "GET /u/alice/a HTTP/1.1"
        return try [
            Request("\(line)\r\nHost: h"), Request("POST /u/alice/a HTTP/1.1\r\nHost: h"), Request("GET /u/bob/a HTTP/1.1\r\nHost: h"),
            Request("GET /u/al%69ce/a HTTP/1.1\r\nHost: h"), Request("GET /u/alice/a?m=1 HTTP/1.1\r\nHost: h"),
            Request("GET /u/alice/a?m=2 HTTP/1.1\r\nHost: h"), Request("\(line)\r\nHost: other"), Request("\(line)\r\nHost: H."),
            Request("\(line)\r\nHost: h\r\nX-Mode: 1"), Request("\(line)\r\nHost: h\r\nx-mode: 2"),
            Request("\(line)\r\nHost: h\r\nX-Mode: 1\r\nX-Mode: 2"), Request("\(line)\r\nHost: h\r\nX-Mode: 1, 2"),
            Request("\(line)\r\nHost: h\r\nX-Mode: 1\r\nConnection: x-mode"), Request("\(line)\r\nHost: h\r\nX-Mod: e1"),
            Request("\(line)\r\nHost: h", peer: "192.0.2.200"), Request("\(line)\r\nHost: h", isSecure: true),
            Request("\(line)\r\nHost: h", peer: "10.0.0.1"),
            Request("\(line)\r\nHost: h\r\nX-Forwarded-For: 192.0.2.200", peer: "10.0.0.1"),
            Request("\(line)\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https", peer: "10.0.0.1"),
            Request("\(line)\r\nHost: h\r\nX-Forwarded-For: 192.0.2.200\r\nX-Forwarded-Proto: https"),
        ]
    }

    private static let conditions = [
        "request.method == 'GET'", "path.name == 'alice'", "request.path.startsWith('/u/alice')", "request.host == 'h'",
        "'m' in request.query && request.query['m'] == ['1']", "!has(request.query.m)", "request.scheme == 'https'",
        "'x-mode' in request.headers", "request.headers['x-mode'] == '1'", "!('x-mode' in request.headers)",
        "request.address.inNetwork('192.0.2.0/25')", "request.method == 'GET' && path.name == 'alice' && !('x-mode' in request.headers)",
        "request.headers.size() == 0", "request.time < timestamp('2200-01-01T00:00:00Z')", "auth.uid != '' && request.id != ''",
    ]

    private static func permits(_ request: Request, _ decider: RequestDecider, _ caller: Caller) -> Bool {
        let connection = ConnectionFacts(
            peer: request.peer, isLocalSocket: false, isSecure: request.isSecure, trusted: decider.site.trustedProxies)
        if case .forward = decider.begin(request.head, RequestContext(connection), now: now, recognise: { _ in caller }) { return true }
        return false
    }

    @Test(arguments: conditions.map { text in rule { $0.condition = text } } + [rule { $0.networks = ["192.0.2.0/25"] }])
    func `decisions are those without a memory`(rule: AccessRule) throws {
        let site = try Self.site(rule)
        let requests = try Self.requests()
        let alone = requests.map { Self.permits($0, RequestDecider(site), Self.caller(site)) }
        for first in requests {
            for (second, expected) in zip(requests, alone) {
                let decider = RequestDecider(site)
                let caller = Self.caller(site)
                _ = Self.permits(first, decider, caller)
                #expect(Self.permits(second, decider, caller) == expected)
            }
        }
        // Many more than are remembered, in an order without a pattern.
        let decider = RequestDecider(site)
        let caller = Self.caller(site)
        var position = 0
        for _ in 0..<400 {
            position = (position * 7 + 3) % requests.count
            #expect(Self.permits(requests[position], decider, caller) == alone[position])
            position += 1
        }
    }

    @Test func `what is read for each request anew is not remembered, nor is what takes much memory`() throws {
        for text in [
            "request.time < timestamp('2200-01-01T00:00:00Z')", "request.id == 'x'", "'cookie' in request.headers",
            "request.headers.size() < 3", "[request].all(r, r.method == 'GET')", "request.clientCertificate != null",
        ] {
            #expect(AccessPolicy(Self.rule { $0.condition = text }).inputs == nil, "\(text)")
        }
        #expect(AccessPolicy(Self.rule { ($0.condition, $0.maxAge) = ("request.method == 'GET'", 1_000) }).inputs == nil)
        #expect(AccessPolicy(Self.rule { $0.condition = "'admins' in auth.groups" }).inputs == nil)
        let long = try Request("GET /u/alice/\(String(repeating: "a", count: 600)) HTTP/1.1\r\nHost: h")
        var key = LineBytes()
        let inputs = try #require(AccessPolicy(Self.rule { $0.condition = "request.path != ''" }).inputs)
        let connection = ConnectionFacts(peer: "192.0.2.1", isLocalSocket: false, isSecure: false, trusted: CIDRSet())
        #expect(!inputs.write(long.head, connection, into: &key))
        #expect(inputs.write(try Request("GET /u/alice HTTP/1.1\r\nHost: h").head, connection, into: &key))
    }
}
