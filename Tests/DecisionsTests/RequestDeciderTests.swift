import Primitives
import Access
import Accounts
import Config
import HTTPWire
import NIOCore
import Sessions
import Testing

@testable import Decisions

@Suite("The decision about a request")
struct RequestDeciderTests {
    private static let now: Int64 = 1_700_000_000_000

    /// Runs the decider on a request and says in a word what it decides.
    private struct Fixture {
        let decider: RequestDecider
        let context = RequestContext(ConnectionFacts(peer: "192.0.2.1", isLocalSocket: false, isSecure: false, trusted: CIDRSet()))
        let head: RequestHead

        init(_ request: String, _ change: (inout Configuration) -> Void = { _ in }) throws {
            var configuration = Configuration()
            let upstream = UpstreamConfiguration(
                targets: [UpstreamAddress(scheme: .http, endpoint: .tcp(host: "127.0.0.1", port: 1))])
            for (path, access) in [("/public/**", AccessRule.public), ("/**", .authenticated)] {
                var route = RouteConfiguration()
                route.path = path
                route.access = access
                route.upstream = upstream
                configuration.routes.append(route)
            }
            change(&configuration)
            decider = RequestDecider(try Site(configuration, cookies: SessionCookies(publicURL: false), hsts: nil))
            var parser = RequestHeadParser(limits: HeadLimits())
            var buffer = ByteBuffer(string: "\(request)\r\n\r\n")
            head = try #require(try parser.parse(&buffer))
        }

        mutating func begin(_ known: Caller? = nil) -> String { word(decider.begin(head, context, now: now) { _ in known }) }
        mutating func resume(_ knowledge: CallerKnowledge) -> String {
            word(decider.resume(head, context, knowing: knowledge, now: now))
        }

        func word(_ outcome: consuming RequestOutcome) -> String {
            switch consume outcome {
            case .answer(let answer, let cookies): cookies == .none ? "\(answer)" : "\(answer), \(cookies)"
            case .endpoint(let path): "endpoint \(path)"
            case .loadSession(let credential): "load \(credential)"
            case .verifyToken(let token, let nonce, _): "verify \(token.text) \(nonce ?? "-")"
            case .refresh: "refresh"
            case .forward(let plan): "forward \(plan.permit.route.label) \(plan.cookies) \(plan.caller == nil ? "nobody" : "caller")"
            }
        }

        func caller(_ tokens: Session.Tokens = .init(), issuedAt: Int64 = RequestDeciderTests.now) -> Caller {
            let identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
            let session = Session.issue(
                for: AccountOutcome(supposing: identity), authTime: nil, providerSessionID: nil, tokens: tokens, now: issuedAt)
            return Caller(session, decider.site.identity, decider.site.limits.session, now: RequestDeciderTests.now)
        }
    }

    @Test(
        "what needs no caller is decided at once",
        arguments: [
            ("GET /public/x HTTP/1.1\r\nHost: h", "forward /public/** none nobody"),
            ("GET /x HTTP/1.1\r\nHost: h", "challenge(hadSession: false, failures: [])"),
            ("GET /_gateway/login HTTP/1.1\r\nHost: h", "endpoint /login"),
            ("GET /a/../b HTTP/1.1\r\nHost: h", "refusal(status: 400, code: \"proxy/bad-request\", reason: \"path-dot-segment\")"),
            ("OPTIONS /public/x HTTP/1.1\r\nHost: h\r\nMax-Forwards: 0", "lastRecipient"),
            (
                "OPTIONS /public/x HTTP/1.1\r\nHost: h\r\nMax-Forwards: -1",
                "refusal(status: 400, code: \"proxy/bad-request\", reason: \"max-forwards-invalid\")"
            ),
            (
                "GET /public/x HTTP/1.1\r\nHost: h\r\nVia: 1.1 \(RequestHeadWriter.pseudonym)",
                "refusal(status: 508, code: \"proxy/loop-detected\", reason: \"via-loop\")"
            ),
        ])
    func atOnce(request: String, expected: String) throws {
        var fixture = try Fixture(request)
        #expect(fixture.begin() == expected)
    }

    @Test("a session cookie is looked up before anything is decided; nothing else is a credential")
    func credentials() throws {
        var fixture = try Fixture("GET /x HTTP/1.1\r\nHost: h\r\nCookie: a=1; session=sealed; b=2")
        let place = "GET /x HTTP/1.1\r\nHost: h\r\nCookie: a=1; session=".utf8.count
        #expect(fixture.begin() == "load whole(Range(\(place)..<\(place + 6)))")
        #expect(fixture.context.verdict == nil && !fixture.context.bringsOurCookiesOnly)
        #expect(fixture.resume(.caller(fixture.caller())) == "forward /** none caller")
        #expect(fixture.context.verdict == .allow)
        // Known at once: the same in one step.
        #expect(fixture.begin(fixture.caller()) == "forward /** none caller")
        var other = try Fixture("GET /x HTTP/1.1\r\nHost: h\r\nCookie: a=1\r\nAuthorization: Bearer t")
        #expect(other.begin() == "challenge(hadSession: false, failures: [])")
    }

    @Test("what was found out about the caller decides")
    func knowledge() throws {
        let request = "GET /x HTTP/1.1\r\nHost: h\r\nCookie: session=sealed"
        for (knowledge, expected) in [
            (CallerKnowledge.nobody, "challenge(hadSession: false, failures: [])"),
            (.ended(hadSession: true), "challenge(hadSession: true, failures: []), remove(hadSession: true)"),
            (.ended(hadSession: false), "challenge(hadSession: false, failures: []), remove(hadSession: false)"),
            (.unknown, "storeUnavailable"),
        ] {
            var fixture = try Fixture(request)
            _ = fixture.begin()
            #expect(fixture.resume(knowledge) == expected)
        }
        // Without the session store, public routes are served, and no cookie is deleted.
        var open = try Fixture("GET /public/x HTTP/1.1\r\nHost: h\r\nCookie: session=sealed")
        _ = open.begin()
        #expect(open.resume(.unknown) == "forward /public/** none nobody")
        var refreshed = try Fixture(request)
        _ = refreshed.begin()
        #expect(refreshed.resume(.refreshed(refreshed.caller(), isNew: true)) == "forward /** store caller")
        #expect(refreshed.resume(.refreshed(refreshed.caller(), isNew: false)) == "forward /** none caller")
    }

    @Test("a session that is due is renewed with the response; one whose tokens are due is refreshed first, but not for a public route")
    func renewalAndRefresh() throws {
        var renewed = try Fixture("GET /x HTTP/1.1\r\nHost: h\r\nCookie: session=sealed") {
            $0.session.idleTimeout = 3_600_000
            $0.session.absoluteTimeout = 36_000_000
        }
        _ = renewed.begin()
        #expect(renewed.resume(.caller(renewed.caller(issuedAt: Self.now - 3_000_000))) == "forward /** renew caller")
        var tokens = Session.Tokens()
        tokens.refreshToken = "r"
        tokens.accessTokenExpiresAt = Self.now + 1_000
        for (path, expected) in [("/x", "refresh"), ("/public/x", "forward /public/** none caller")] {
            var due = try Fixture("GET \(path) HTTP/1.1\r\nHost: h\r\nCookie: session=sealed")
            _ = due.begin()
            #expect(due.resume(.caller(due.caller(tokens))) == expected)
            #expect(due.begin(due.caller(tokens)) == expected)
        }
    }

    @Test("a token decides alone where the route takes one, even beside a cookie; what is no token is refused")
    func tokens() throws {
        func configure(_ configuration: inout Configuration) {
            var bearer = BearerConfiguration()
            bearer.providers = ["oidc.a"]
            configuration.bearer = bearer
        }
        var fixture = try Fixture("GET /x HTTP/1.1\r\nHost: h\r\nCookie: session=sealed\r\nAuthorization: Bearer a.b", configure)
        #expect(fixture.begin() == "verify a.b -")
        #expect(fixture.resume(.tokenRefused(.invalidToken("old"), provider: "oidc.a")).contains("invalidToken(\"old\")"))
        var query = try Fixture("GET /x?access_token=t HTTP/1.1\r\nHost: h", configure)
        #expect(query.begin().contains("invalidRequest"))
    }

    @Test("while audit records cannot be written, only public routes go on")
    func audit() throws {
        for (path, expected) in [("/x", "auditUnavailable"), ("/public/x", "forward /public/** none nobody")] {
            var fixture = try Fixture("GET \(path) HTTP/1.1\r\nHost: h")
            fixture.context.isAuditClosed = true
            #expect(fixture.begin() == expected)
        }
    }

    @Test("without a route, nothing that is known of a caller leads to an upstream")
    func withoutRoute() throws {
        var fixture = try Fixture("GET /a/../b HTTP/1.1\r\nHost: h")
        _ = fixture.begin()
        #expect(fixture.resume(.caller(fixture.caller())).contains("status: 500"))
    }

    @Test("a condition decides about each request of a session, and about nobody where it may")
    func conditions() throws {
        func configure(_ configuration: inout Configuration) {
            var conditions = AccessConditions()
            conditions.condition = "request.method == 'GET' || auth != null && request.headers['x-change'] == 'yes'"
            conditions.admitsNobody = true
            configuration.routes[1].access = .all(conditions)
        }
        let tail = "/x HTTP/1.1\r\nHost: h\r\nCookie: session=sealed"
        var get = try Fixture("GET \(tail)", configure)
        let caller = get.caller()
        #expect(get.begin(caller) == "forward /** none caller")
        for (head, expected) in [("POST \(tail)", "denial"), ("POST \(tail)\r\nX-Change: yes", "forward"), ("GET \(tail)", "forward")] {
            let fixture = try Fixture(head, configure)
            // The same decider and session, as on an event loop.
            let outcome = get.decider.begin(fixture.head, fixture.context, now: Self.now) { _ in caller }
            #expect(get.word(outcome).hasPrefix(expected), "\(head)")
        }
        var nobody = try Fixture("GET /x HTTP/1.1\r\nHost: h", configure)
        #expect(nobody.begin() == "forward /** none nobody")
        #expect(nobody.context.verdict == .public)
        var refused = try Fixture("POST /x HTTP/1.1\r\nHost: h", configure)
        #expect(refused.begin() == "challenge(hadSession: false, failures: [])")
        // What a condition opens is not for shared caches.
        if case .forward(let plan) = nobody.decider.begin(nobody.head, nobody.context, now: Self.now, recognise: { _ in nil }) {
            #expect(plan.response.isPrivate)
        } else {
            Issue.record("nobody is admitted")
        }
    }

    @Test("another proxy gets a decision only about what it forwards to an app")
    func questions() throws {
        func asked(_ request: String, _ change: (inout Configuration) -> Void = { _ in }) throws -> String {
            var fixture = try Fixture(request) { configuration in
                for index in configuration.routes.indices { configuration.routes[index].upstream = nil }
                change(&configuration)
            }
            fixture.context.isQuestion = true
            return fixture.begin(fixture.caller())
        }
        let own = "\r\nHost: h\r\nCookie: session=sealed"
        #expect(try asked("GET /x HTTP/1.1" + own) == "forward /** none caller")
        #expect(
            try asked("GET /public/x HTTP/1.1\r\nHost: h\r\nVia: 1.1 a, 1.1 \(RequestHeadWriter.pseudonym)")
                == "forward /public/** none nobody")
        #expect(try asked("GET /_gateway/login HTTP/1.1" + own).contains("gateway-path"))
        #expect(
            try asked("GET /public/x HTTP/1.1" + own) {
                $0.routes[0].routing.respond = RespondConfiguration()
            }.contains("route-without-app"))
        let handshake = "GET /x HTTP/1.1\(own)\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: "
        #expect(try asked(handshake + "https://evil.example.com").contains("websocket-origin"))
        #expect(try asked(handshake + "https://h") == "forward /** none caller")
        // No preflight is answered: 204 would let the request pass.
        let preflight = "OPTIONS /x HTTP/1.1\r\nHost: h\r\nOrigin: https://spa.example.com\r\nAccess-Control-Request-Method: PUT"
        #expect(
            try asked(preflight) {
                var cors = CORSConfiguration()
                cors.origins = ["https://spa.example.com"]
                $0.everywhere.cors = cors
            } == "challenge(hadSession: false, failures: [])")
        #expect(
            try asked("POST /x HTTP/1.1\(own)\r\nOrigin: https://evil.example.com") { $0.everywhere.csrf = .origin } == "crossSite")
    }
}
