import HTTPWire
import NIOCore
import Primitives
import Testing

@testable import Decisions

@Suite("Questions of other proxies")
struct QuestionTests {
    private static let trusted = CIDRSet(["10.0.0.0/8"]) ?? CIDRSet()

    /// The question in a line: method, scheme, host, target, client; or the reason why it is refused.
    private func read(_ lines: [String]) throws -> String {
        let head = try head(lines)
        let answer = describe { () throws(QuestionRefusal) in try Question(head, trusted: Self.trusted) }
        // The same after two other questions of the connection, the second of which was refused within its head.
        var parser = Question.makeParser()
        let envoy = ["Host: other.example.com", "Cookie: a=b", "Accept: text/html"]
        let earlier = try Question(
            self.head(["GET /envoy/earlier HTTP/1.1"] + envoy), trusted: Self.trusted, parser: &parser, memory: RequestHead())
        let refused = try self.head(["GET /nginx HTTP/1.1", "Host: h", "X-Original-Method: G(T", "X-Original-URL: https://h/"])
        #expect(throws: QuestionRefusal.self) {
            try Question(refused, trusted: Self.trusted, parser: &parser, memory: RequestHead())
        }
        let again = describe { () throws(QuestionRefusal) in
            try Question(head, trusted: Self.trusted, parser: &parser, memory: earlier.head)
        }
        #expect(again == answer)
        return answer
    }

    private func head(_ lines: [String]) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try #require(try parser.parse(&buffer))
    }

    private func describe(_ read: () throws(QuestionRefusal) -> Question) -> String {
        do throws(QuestionRefusal) {
            let question = try read()
            let asked = question.head
            return "\(asked.methodText) \(question.isSecure ? "https" : "http")://\(asked.authorityText)"
                + asked.text(asked.pathRange.lowerBound..<asked.queryRange.upperBound) + " \(question.client?.description ?? "-")"
        } catch {
            return "refused: \(error.reason)"
        }
    }

    private func nginx(_ fields: String...) throws -> String { try read(["GET /nginx HTTP/1.0", "Host: app.example.com"] + fields) }

    /// A whole question of Traefik or Caddy; nil leaves a field out.
    private func forward(
        request: String = "GET /forward HTTP/1.1", method: String? = "GET", proto: String? = "https", host: String? = "app.example.com",
        uri: String? = "/a?b=c", client: String? = "192.0.2.7", more: [String] = []
    ) throws -> String {
        let fields = [
            ("Method", method), ("Proto", proto), ("Host", host), ("Uri", uri), ("For", client),
        ].compactMap { name, value in value.map { "X-Forwarded-\(name): \($0)" } }
        return try read([request, "Host: gateway:4181"] + fields + more)
    }

    // MARK: What is asked

    @Test func `nginx names the request by its address, or by host and path`() throws {
        #expect(
            try nginx("X-Original-Method: POST", "X-Original-URL: https://a.example.com:8443/x?y=z")
                == "POST https://a.example.com:8443/x?y=z -")
        #expect(
            try nginx("X-Original-Method: GET", "X-Original-URI: /x?y=z", "X-Forwarded-For: 192.0.2.7")
                == "GET http://app.example.com/x?y=z 192.0.2.7")
        #expect(
            try nginx("X-Original-Method: GET", "X-Original-URI: /x", "X-Forwarded-Proto: https") == "GET https://app.example.com/x -")
        #expect(
            try nginx("X-Original-Method: GET", "X-Original-URI: /x", "X-Original-URL: http://app.example.com/x")
                == "GET http://app.example.com/x -")
    }

    @Test func `Traefik and Caddy name it in five fields, whatever the query of the question is`() throws {
        #expect(try forward() == "GET https://app.example.com/a?b=c 192.0.2.7")
        #expect(try forward(request: "GET /forward?b=other HTTP/1.1") == "GET https://app.example.com/a?b=c 192.0.2.7")
        #expect(try forward(request: "HEAD /forward HTTP/1.1", method: "PATCH") == "PATCH https://app.example.com/a?b=c 192.0.2.7")
        #expect(try forward(proto: "wss") == "GET https://app.example.com/a?b=c 192.0.2.7")
        #expect(try forward(proto: "ws") == "GET http://app.example.com/a?b=c 192.0.2.7")
    }

    @Test func `Envoy asks with the request itself below a prefix`() throws {
        #expect(try read(["DELETE /envoy/a?b=c HTTP/1.1", "Host: app.example.com"]) == "DELETE http://app.example.com/a?b=c -")
        #expect(
            try read(["GET /envoy/ HTTP/1.1", "Host: h", "X-Forwarded-Proto: https", "X-Forwarded-For: 2001:db8::1"])
                == "GET https://h/ 2001:db8::1")
        #expect(try read(["POST /envoy/envoy/a HTTP/1.1", "Host: h", "Content-Length: 0"]) == "POST http://h/envoy/a -")
    }

    @Test func `The client is the last address that is no trusted proxy`() throws {
        #expect(try forward(client: "198.51.100.1, 192.0.2.7").hasSuffix(" 192.0.2.7"))
        #expect(try forward(client: "198.51.100.1, 192.0.2.7, 10.1.2.3, 10.0.0.1").hasSuffix(" 192.0.2.7"))
        #expect(try forward(client: "10.1.2.3, 10.0.0.1").hasSuffix(" 10.1.2.3"))
        #expect(try forward(client: "nonsense, 192.0.2.7").hasSuffix(" 192.0.2.7"))
        #expect(try forward(client: "192.0.2.7:4711").hasSuffix(" 192.0.2.7"))
        #expect(try forward(client: "198.51.100.1", more: ["X-Forwarded-For: 192.0.2.7"]).hasSuffix(" 192.0.2.7"))
    }

    @Test func `The request keeps its fields, but none about the question or the connection`() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(
            string: """
                GET /envoy/a HTTP/1.1\r
                Host: h\r
                Cookie: a=b\r
                Authorization: Bearer t\r
                Connection: close\r
                Content-Length: 3\r
                X-Forwarded-User: admin\r
                X_Forwarded_User: admin\r
                X-Request-Id: 1\r
                Forwarded: for=1.2.3.4\r
                Accept: text/html\r
                \r\n
                """)
        let asked = try #require(try parser.parse(&buffer))
        let head = try Question(asked, trusted: CIDRSet()).head
        #expect(
            String(buffer: head.bytes)
                == "GET /a HTTP/1.1\r\nhost: h\r\nCookie: a=b\r\nAuthorization: Bearer t\r\nAccept: text/html\r\n\r\n")
    }

    // MARK: What is refused

    @Test func `What is missing is refused`() throws {
        #expect(try nginx("X-Original-URL: https://h/") == "refused: missing X-Original-Method")
        #expect(try nginx("X-Original-Method: GET") == "refused: missing X-Original-URL")
        #expect(try nginx("X-Original-Method:", "X-Original-URI: /") == "refused: missing X-Original-Method")
        #expect(try forward(method: nil) == "refused: missing X-Forwarded-Method")
        #expect(try forward(proto: nil) == "refused: missing X-Forwarded-Proto")
        #expect(try forward(host: nil) == "refused: missing X-Forwarded-Host")
        #expect(try forward(uri: nil) == "refused: missing X-Forwarded-Uri")
        #expect(try forward(client: nil) == "refused: missing X-Forwarded-For")
        #expect(try forward(client: "") == "refused: missing X-Forwarded-For")
    }

    @Test func `What occurs twice or contradicts is refused`() throws {
        let method = "X-Original-Method: GET"
        #expect(try nginx(method, "X-ORIGINAL-METHOD: GET", "X-Original-URI: /") == "refused: repeated X-Original-Method")
        #expect(try nginx(method, "X-Original-URI: /a", "X-Original-URI: /b") == "refused: repeated X-Original-URI")
        #expect(try nginx(method, "X-Original-URL: http://h/a", "X-Original-URI: /b") == "refused: contradictory X-Original-URI")
        #expect(
            try nginx(method, "X-Original-URL: http://h/a", "X-Forwarded-Proto: https") == "refused: contradictory X-Forwarded-Proto")
        for (name, value) in [("Method", "GET"), ("Proto", "https"), ("Host", "app.example.com"), ("Uri", "/b")] {
            #expect(try forward(more: ["X-Forwarded-\(name): \(value)"]) == "refused: repeated X-Forwarded-\(name)")
        }
    }

    @Test func `Forward auth does not let a client choose the host`() throws {
        // The client adds X-Original-URL where the proxy sends Host and X-Original-URI, and the other way round.
        let question = ["X-Original-Method: GET", "X-Original-URI: /x"]
        func added(_ fields: String...) throws -> String { try read(["GET /nginx HTTP/1.0", "Host: app.example.com"] + question + fields) }
        #expect(try added("X-Original-URL: http://public.example.com/x") == "refused: contradictory Host")
        #expect(try added("X-Original-URL: http://app-example.com/x") == "refused: contradictory Host")
        #expect(try added("X-Original-URL: http://app.example.com:8080/x") == "refused: contradictory Host")
        #expect(try added("X-Original-URL: http://app.example.com/public") == "refused: contradictory X-Original-URI")
        #expect(try added("X-Original-URL: https://app.example.com/x") == "refused: contradictory X-Original-URL")
        #expect(
            try added("X-Original-URL: https://app.example.com/x", "X-Forwarded-Proto: http") == "refused: contradictory X-Original-URL")
        #expect(try added("X-Original-URL: http://APP.example.com/x") == "GET http://APP.example.com/x -")
        #expect(
            try added("X-Original-URL: https://app.example.com/x", "X-Forwarded-Proto: https") == "GET https://app.example.com/x -")
    }

    /// A whole question of each dialect, as the configurations in docs/behind send it.
    private static let questions: [(dialect: QuestionDialect, lines: [String], read: String)] = [
        (
            .nginx,
            [
                "GET /nginx HTTP/1.1", "Host: app.example.com", "X-Original-Method: GET", "X-Original-URL: https://app.example.com/x",
                "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.7",
            ], "GET https://app.example.com/x 192.0.2.7"
        ),
        (
            .nginx,
            [
                "GET /nginx HTTP/1.1", "Host: app.example.com", "X-Original-Method: GET", "X-Original-URI: /x",
                "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.7",
            ], "GET https://app.example.com/x 192.0.2.7"
        ),
        (
            .forward,
            [
                "GET /forward HTTP/1.1", "Host: gateway:4181", "X-Forwarded-Method: GET", "X-Forwarded-Proto: https",
                "X-Forwarded-Host: app.example.com", "X-Forwarded-Uri: /x", "X-Forwarded-For: 192.0.2.7",
            ], "GET https://app.example.com/x 192.0.2.7"
        ),
        (
            .envoy,
            ["GET /envoy/x HTTP/1.1", "Host: app.example.com", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.7"],
            "GET https://app.example.com/x 192.0.2.7"
        ),
    ]

    /// Every header with which some dialect, proxy or app names another request.
    private static let claims = [
        "X-Original-Method: POST", "X-Original-URL: http://public.example.com/public", "X-Original-URI: /public", "X-Original-Host: public",
        "X-Forwarded-Method: POST", "X-Forwarded-Proto: http", "X-Forwarded-Host: public.example.com", "X-Forwarded-Uri: /public",
        "X-Forwarded-Scheme: http", "X-Forwarded-Port: 80", "X-Forwarded-Prefix: /public", "X-Forwarded-Server: public.example.com",
        "Forwarded: for=198.51.100.1;host=public.example.com;proto=http", "X-Rewrite-URL: /public", "X-Scheme: http",
        "X-HTTP-Method-Override: POST", "X-Real-IP: 198.51.100.1", "X-Client-IP: 198.51.100.1", "True-Client-IP: 198.51.100.1",
        "CF-Connecting-IP: 198.51.100.1", "X-Envoy-Original-Path: /public", "X-Envoy-External-Address: 198.51.100.1",
        "X-Auth-Request-Redirect: /public", "X_Original_URL: http://public.example.com/public", "X_Forwarded_Host: public.example.com",
        "X-Original-URL: https://app.example.com/x", "X-Original-URI: /x",
    ]

    @Test(arguments: Self.questions.indices, Self.claims)
    func `A header that a client adds never changes the request that is decided about`(question: Int, claim: String) throws {
        let (dialect, lines, expected) = Self.questions[question]
        let name = claim.prefix { $0 != ":" }.lowercased()
        // The proxy writes these itself: it overwrites the client's.
        let isProxys = lines.contains { $0.lowercased().hasPrefix(name + ":") }
        let answer = try read(lines + [claim])
        #expect(answer == expected || answer.hasPrefix("refused: "))
        let belongs = QuestionHeader.allCases.contains { "\($0.lowerName)" == name && dialect.headers.contains($0) }
        if isProxys || belongs && claim != "X-Original-URI: /x" && claim != "X-Original-URL: https://app.example.com/x" {
            #expect(answer.hasPrefix("refused: "))
        } else {
            #expect(answer == expected)
        }
        // Whatever it is called, it does not stand in the request either if it describes one.
        if name.hasPrefix("x-original-") || name.hasPrefix("x-forwarded-") {
            var parser = RequestHeadParser(limits: HeadLimits())
            var buffer = ByteBuffer(string: (lines + [claim]).joined(separator: "\r\n") + "\r\n\r\n")
            let asked = try #require(try parser.parse(&buffer))
            if let head = try? Question(asked, trusted: CIDRSet()).head {
                #expect(!String(buffer: head.bytes).lowercased().contains(name))
            }
        }
    }

    @Test(arguments: [
        ("/a/../b", "path-dot-segment"), ("/a/%2e%2e/b", "path-dot-segment"), ("/a/.%2E", "path-dot-segment"),
        ("/a;/..;/b", "path-dot-segment"),
        ("//evil.example.com/a", "path-empty-segment"), ("/a//b", "path-empty-segment"), ("/a%2Fb", "path-encoded-slash"),
        ("/a%5cb", "path-encoded-backslash"), ("/a\\b", "path-backslash"), ("/a;b", "path-semicolon"), ("/a%3Bb", "path-encoded-semicolon"),
        ("/a%00", "path-encoded-nul"), ("/a%0d%0aX:1", "path-encoded-control"), ("/%c0%ae%c0%ae/a", "path-invalid-utf8"),
        ("/%e0%80%af", "path-invalid-utf8"), ("/a%2", "path-incomplete-escape"), ("/a%zz", "path-incomplete-escape"),
        ("/a#b", "path-fragment"),
        ("/a b", "path-raw-space"), ("/\u{e9}", "path-raw-non-ascii"), ("http://evil.example.com/a", "path-not-absolute"),
        ("https://app.example.com/a", "path-not-absolute"), ("*", "path-not-absolute"), ("a", "path-not-absolute"),
    ])
    func `A path that programs read in different ways is refused`(path: String, reason: String) throws {
        #expect(try forward(uri: path) == "refused: \(reason)")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URI: \(path)") == "refused: \(reason)")
    }

    @Test func `A path of Envoy obeys the same rules`() throws {
        #expect(try read(["GET /envoy//a HTTP/1.1", "Host: h"]) == "refused: path-empty-segment")
        #expect(try read(["GET /envoy/a/..%2f HTTP/1.1", "Host: h"]) == "refused: path-dot-segment")
        #expect(try read(["GET /envoy/a%2fb HTTP/1.1", "Host: h"]) == "refused: path-encoded-slash")
        #expect(try read(["GET /envoy?/a HTTP/1.1", "Host: h"]) == "refused: unknown-endpoint")
    }

    @Test func `A request that violates HTTP is refused`() throws {
        #expect(try forward(method: "get") == "refused: method-invalid")
        #expect(try forward(method: "TRACE") == "refused: method-not-allowed")
        #expect(try forward(method: "CONNECT") == "refused: method-not-allowed")
        #expect(try forward(method: "GET /x HTTP/1.1").hasPrefix("refused: "))
        #expect(try forward(host: "a.example.com, b.example.com") == "refused: host-invalid")
        #expect(try forward(host: "user@app.example.com") == "refused: host-invalid")
        #expect(try forward(host: "app.example.com/x") == "refused: host-invalid")
        #expect(try forward(host: "app.example.com:99999") == "refused: host-invalid")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URL: https://u@h/a") == "refused: host-invalid")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URL: https:///a") == "refused: invalid X-Original-URL")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URL: https://h") == "refused: invalid X-Original-URL")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URL: ftp://h/a") == "refused: invalid X-Original-URL")
        #expect(try nginx("X-Original-Method: GET", "X-Original-URL: //h/a") == "refused: invalid X-Original-URL")
    }

    @Test func `Other endpoints, methods, schemes and clients are refused`() throws {
        #expect(try forward(request: "POST /forward HTTP/1.1") == "refused: method")
        #expect(try read(["POST /nginx HTTP/1.1", "Host: h", "X-Original-Method: GET", "X-Original-URI: /"]) == "refused: method")
        for path in ["/", "/nginx/", "/Nginx", "/forward/", "/nginx%20", "/envoy", "/envoyx", "/envoy.service"] {
            #expect(try read(["GET \(path) HTTP/1.1", "Host: h"]) == "refused: unknown-endpoint")
        }
        #expect(try forward(proto: "gopher") == "refused: invalid X-Forwarded-Proto")
        #expect(try forward(proto: "https, http") == "refused: invalid X-Forwarded-Proto")
        for client in ["unknown", "192.0.2.7, unknown", "192.0.2.7,", "192.0.2.300", "_hidden"] {
            #expect(try forward(client: client) == "refused: invalid X-Forwarded-For")
        }
    }
}
