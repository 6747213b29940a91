import Access
import Accounts
import Conditions
import Config
import HTTPWire
import NIOCore
import Primitives
import Sessions
import Testing

@testable import Decisions

@Suite("The request as conditions read it")
struct RequestFactsTests {
    private static let now: Int64 = 1_700_000_000_500

    private struct Setting {
        var peer = "192.0.2.1"
        var isUnixSocket = false
        var isSecure = false
        var tls: TLSIdentity?
        var trusted: [String] = []
    }

    /// The value of an expression over a request.
    private func value(
        _ expression: String, _ request: String, _ setting: Setting = Setting(), reads: ConditionReads? = nil
    ) throws -> String {
        var configuration = Configuration()
        configuration.server.trustedProxies = setting.trusted
        let site = try Site(configuration, cookies: SessionCookies(publicURL: false), hsts: nil)
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: "\(request)\r\n\r\n")
        let head = try #require(try parser.parse(&buffer))
        let context = RequestContext(
            ConnectionFacts(
                peer: setting.peer, isLocalSocket: setting.isUnixSocket, isSecure: setting.isSecure, tls: setting.tls,
                trusted: site.trustedProxies))
        context.begin(RequestID(high: 1, low: 2))
        context.requestID.given = context.givenID(head)
        let condition = try Condition(expression, in: ConditionScope(nil).environment, expecting: nil)
        let facts = RequestFacts(head, context, site, reads: reads ?? ConditionReads(condition.reads), now: Self.now)
        do {
            return try condition.evaluate([.null, .object(facts), nil]).description
        } catch {
            return error.reason.message
        }
    }

    private static let get = "GET /a%62/%e9%C3?q=1&q=b+c%20d&%71=&other HTTP/1.1\r\nHost: App.Example.com.:8080"

    @Test(
        "each variable",
        arguments: [
            ("request.method", "\"GET\""), ("request.host", "\"app.example.com\""), ("request.scheme", "\"http\""),
            ("request.path", "\"/ab/%E9%C3\""), ("request.query.q", "[\"1\", \"b c d\", \"\"]"), ("request.query.other", "[\"\"]"),
            ("has(request.query.absent)", "false"), ("request.query.absent", "no such key: \"absent\""), ("request.query.size()", "2"),
            ("request.address", "ip(\"192.0.2.1\")"), ("request.time", "timestamp(\"2023-11-14T22:13:20.5Z\")"),
            ("request.id", "\"00000000000000010000000000000002\""), ("request.clientCertificate", "null"),
            ("request.clientCertificate.subject", "no such field: subject, because the object is null"),
        ])
    func variables(expression: String, expected: String) throws {
        #expect(try value(expression, Self.get) == expected)
    }

    @Test(
        "a query that is no form has no parameters, so a condition that reads them fails",
        arguments: ["?q=%", "?q=%zz", "?x=%4", "?q=%FF", "?%"])
    func brokenQuery(query: String) throws {
        #expect(try value("request.query.q == []", "GET /\(query) HTTP/1.1\r\nHost: h").hasPrefix("no such field: query"))
        #expect(try value("has(request.query.q)", "GET /\(query) HTTP/1.1\r\nHost: h").hasPrefix("no such field: query"))
    }

    @Test("headers: what a client may set, by lower-case names, repeated fields joined")
    func headers() throws {
        let request = """
            GET / HTTP/1.1\r
            Host: h\r
            X-One: a\r
            x-ONE: b\r
            X-Forwarded-User: root\r
            x_forwarded_user: root\r
            X-Forwarded-For: 10.0.0.1\r
            Forwarded: for=10.0.0.1\r
            X-Request-Id: given\r
            Connection: x-hop\r
            X-Hop: 1\r
            Keep-Alive: 1\r
            Authorization: Basic x\r
            Cookie: session=sealed; theme=dark\r
            Cookie: lang=en
            """
        #expect(try value("request.headers['x-one']", request) == "\"a, b\"")
        #expect(
            try value("request.headers", request)
                == "{\"x-one\": \"a, b\", \"authorization\": \"Basic x\", \"cookie\": \"theme=dark; lang=en\"}")
        for name in ["host", "x-forwarded-user", "x_forwarded_user", "x-forwarded-for", "forwarded", "x-request-id", "x-hop", "connection"]
        {
            #expect(try value("'\(name)' in request.headers", request) == "false", "\(name)")
        }
        #expect(try value("request.headers['X-One']", request) == "no such key: \"X-One\"")
        #expect(try value("'cookie' in request.headers", "GET / HTTP/1.1\r\nHost: h\r\nCookie: session=a") == "false")
    }

    @Test("a trusted proxy names the client, its scheme and the request; others do not")
    func proxies() throws {
        let request = """
            GET / HTTP/1.1\r
            Host: h\r
            X-Forwarded-For: 203.0.113.9, 10.0.0.2\r
            X-Forwarded-Proto: https\r
            X-Request-Id: from-proxy
            """
        let behind = Setting(peer: "10.0.0.1", trusted: ["10.0.0.0/8"])
        #expect(try value("request.address", request, behind) == "ip(\"203.0.113.9\")")
        #expect(try value("request.scheme + ' ' + request.id", request, behind) == "\"https from-proxy\"")
        #expect(try value("request.address", request, Setting(peer: "10.0.0.1")) == "ip(\"10.0.0.1\")")
        #expect(try value("request.scheme", request, Setting(peer: "10.0.0.1")) == "\"http\"")
        #expect(try value("'x-forwarded-for' in request.headers", request, behind) == "false")
        #expect(
            try value("request.address.inNetwork('10.0.0.0/8')", request, Setting(peer: "::ffff:10.0.0.1")) == "true",
            "an IPv4 address in IPv6 form counts as IPv4")
        let socket = Setting(peer: "unix:/run/x", isUnixSocket: true)
        #expect(try value("has(request.address)", request, socket) == "false")
        #expect(try value("request.address.inNetwork('0.0.0.0/0')", request, socket) == "no such field: address")
    }

    @Test("the certificate of a client")
    func certificate() throws {
        let identity = TLSIdentity(
            serverName: nil, names: CertificateNames([]),
            clientCertificate: ClientCertificate(
                subject: "CN=robot,O=Acme", names: ["robot.example.com", "spiffe://acme/robot"], fingerprint: "ab"))
        let setting = Setting(isSecure: true, tls: identity)
        #expect(try value("request.clientCertificate.subject", Self.get, setting) == "\"CN=robot,O=Acme\"")
        #expect(
            try value(
                "'spiffe://acme/robot' in request.clientCertificate.sans && request.clientCertificate.fingerprint == 'ab'", Self.get,
                setting)
                == "true")
        #expect(try value("request.clientCertificate != null && request.scheme == 'https'", Self.get, setting) == "true")
    }
}
