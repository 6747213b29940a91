import Primitives
import Access
import Accounts
import Config
import HTTPWire
import NIOCore
import Sessions
import Testing
import TokenCrypto

@testable import Decisions

@Suite("Requests to the upstream")
struct RequestHeadWriterTests {
    @Test(
        "the request line is the client's, byte for byte; the host is that of the target",
        arguments: [
            ("GET /p?q=%20&r HTTP/1.1", "GET /p?q=%20&r HTTP/1.1", "h"),
            ("GET http://real:81/p?q HTTP/1.1", "GET /p?q HTTP/1.1", "real:81"),
            ("GET http://real HTTP/1.1", "GET / HTTP/1.1", "real"),
        ])
    func requestLine(sent: String, expected: String, host: String) throws {
        let lines = try Self.lines("\(sent)\r\nHost: h\r\n\r\n")
        #expect(lines[0] == expected)
        #expect(lines[1] == "Host: \(host)")
    }

    @Test(
        "P2: Connection cannot take away what we set (CVE-2025-48865)",
        arguments: [
            "X-Forwarded-User", "x-forwarded-for", "Host", "Cookie", "Authorization", "Content-Length", "X-Request-Id",
        ])
    func connectionOptions(name: String) throws {
        let lines = try Self.lines("GET / HTTP/1.1\r\nHost: h\r\nConnection: \(name), close\r\nX-Kept: 1\r\n\r\n")
        #expect(lines.contains("Host: h"))
        #expect(lines.contains("X-Forwarded-For: 192.0.2.1"))
        #expect(lines.contains("X-Forwarded-User: \(UserID.derived(issuer: "https://a", subject: "s"))"))
        #expect(lines.contains("X-Kept: 1"))
        #expect(!lines.contains { $0.lowercased().hasPrefix("connection") })
    }

    @Test("P1: what Connection names ends here")
    func namedFields() throws {
        let lines = try Self.lines("GET / HTTP/1.1\r\nHost: h\r\nConnection: X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nUpgrade: h2c\r\n\r\n")
        #expect(!lines.contains { $0.hasPrefix("X-Hop") || $0.hasPrefix("TE") || $0.hasPrefix("Upgrade") })
    }

    @Test("issue 19.2: a field that one of thousands of options names ends here, and no other")
    func manyNamedFields() throws {
        let options = (0..<2_500).map { "x-h-\($0)" }.joined(separator: ",")
        let lines = try Self.lines("GET / HTTP/1.1\r\nHost: h\r\nConnection: \(options)\r\nX-H-2499: 1\r\nX-H-2500: 1\r\n\r\n")
        #expect(!lines.contains { $0.hasPrefix("X-H-2499") })
        #expect(lines.contains("X-H-2500: 1"))
    }

    @Test(
        "lookalikes of identity headers are removed in every folded spelling",
        arguments: [
            "X-Forwarded-User", "x_forwarded_user", "X.Forwarded.User", "X-FORWARDED~USER", "Remote-User", "x-auth-request-email",
            "X-WEBAUTH-USER", "X-Gateway-Assertion", "Forwarded", "X-Real-IP", "x-original-url", "X_Forwarded_Anything",
        ])
    func lookalikes(name: String) throws {
        let lines = try Self.lines("GET / HTTP/1.1\r\nHost: h\r\n\(name): evil\r\n\r\n")
        #expect(!lines.contains { $0.contains("evil") })
    }

    @Test("an identity header that is called like a known field replaces the client's")
    func identityNamedLikeAKnownField() throws {
        let lines = try Self.lines("GET / HTTP/1.1\r\nHost: h\r\nAuthorization: evil\r\nReferer: fine\r\n\r\n", identity: ["Authorization"])
        #expect(!lines.contains("Authorization: evil"))
        #expect(lines.contains("Referer: fine"))
    }

    @Test("C7: our cookies stay here, the others go on, on one line")
    func cookies() throws {
        let lines = try Self.lines(
            "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=1; session=secret; b=2\r\nCookie: session.0=x; c=\"3\"\r\n\r\n")
        #expect(lines.filter { $0.hasPrefix("Cookie") } == ["Cookie: a=1; b=2; c=\"3\""])
        #expect(try Self.lines("GET / HTTP/1.1\r\nHost: h\r\nCookie: session=secret\r\n\r\n").filter { $0.hasPrefix("Cookie") }.isEmpty)
    }

    @Test("the framing is ours")
    func framing() throws {
        #expect(try Self.lines("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 007\r\n\r\n").contains("Content-Length: 7"))
        #expect(try Self.lines("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n").contains("Content-Length: 0"))
        let chunked = try Self.lines("POST / HTTP/1.1\r\nHost: h\r\ntransfer-ENCODING: Chunked\r\n\r\n")
        #expect(chunked.filter { $0.lowercased().contains("chunked") } == ["Transfer-Encoding: chunked"])
    }

    static func lines(_ text: String, identity: [String] = []) throws -> [String] {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: text)
        let head = try #require(try parser.parse(&buffer))
        var configuration = Configuration()
        configuration.routes = [RouteConfiguration()]
        configuration.routes[0].access = .public
        let table = try RouteTable(configuration)
        var scratch: [UInt8] = []
        let resolution = table.resolve(method: RequestPath.root, host: RequestPath.root, path: RequestPath.root, scratch: &scratch)
        guard case .matched(let match) = resolution, case .permit(let permit) = Decision(forNobodyOn: match) else {
            Issue.record("the public route permits")
            return []
        }
        let headers = try IdentityHeaders(IdentityConfiguration(), additional: identity)
        let cookies = SessionCookies(publicURL: false)
        let writer = RequestHeadWriter(
            strippedAlways: headers.strippedFromTrusted, strippedFromUntrusted: headers.strippedFromUntrusted,
            cookies: GatewayCookieNames { cookies.isOurs($0) })
        let session = Session.issue(
            for: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")), authTime: nil,
            providerSessionID: nil, tokens: .init(), now: 0)
        let caller = Caller(session, headers, SessionLimits(idle: 1_000, absolute: 1_000), now: 0)
        let plan = ForwardPlan(
            permit: permit, caller: caller, cookies: .none, features: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: false, cookies: GatewayCookieNames { _ in false }), bodyLimit: nil)
        var lines = LineBytes()
        let context = RequestContext(
            ConnectionFacts(peer: "192.0.2.1", isLocalSocket: false, isSecure: false, trusted: CIDRSet()))
        _ = writer.write(head, context, plan, now: 0, into: &lines)
        let sent = String(decoding: lines.bytes)
        #expect(sent.hasSuffix("\r\n\r\n"))
        return sent.split(separator: "\r\n").map(String.init)
    }
}
