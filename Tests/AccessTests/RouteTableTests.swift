import Access
import Config
import Testing

@Suite struct RouteTableTests {
    @Test(
        "A path pattern matches whole segments",
        arguments: [
            ("/admin", "/admin", true), ("/admin", "/admin/", false), ("/admin", "/admin/x", false), ("/admin", "/administrator", false),
            ("/admin", "/ADMIN", false), ("/admin", "/", false), ("/admin/", "/admin/", true), ("/admin/", "/admin", false),
            ("/admin/**", "/admin", true), ("/admin/**", "/admin/", true), ("/admin/**", "/admin/a/b", true),
            ("/admin/**", "/administrator", false),
            ("/admin/**", "/admi", false), ("/admin/**", "/x/admin", false), ("/**", "/", true), ("/**", "/a", true),
            ("/**", "/a/b/", true),
            ("/", "/", true), ("/", "/a", false), ("/*", "/a", true), ("/*", "/", false), ("/*", "/a/", false), ("/*", "/a/b", false),
            ("/a/*/c", "/a/b/c", true), ("/a/*/c", "/a/c", false), ("/a/*/c", "/a/b/b/c", false), ("/a/{id}", "/a/7", true),
            ("/a/{id}", "/a/", false),
            ("/a/{id}/**", "/a/7", true), ("/a/{id}/**", "/a", false), ("/**/c", "/c", true), ("/**/c", "/a/b/c", true),
            ("/**/c", "/a/b/c/", false),
            ("/a/**/c", "/a/c", true), ("/a/**/c", "/a/b/b/c", true), ("/a/**/c", "/a/c/c/d/c", true), ("/a/**/c", "/a/b", false),
            ("/a/**/c", "/b/c", false),
            ("/**/a/**/b", "/x/a/y/b", true), ("/**/a/**/b", "/b/a", false), ("/**/a/**/b", "/a/b", true),
            ("/**/a/*/b/**", "/a/x/a/y/b/z", true),
            ("/**/**", "/a", true), ("/a/**/**", "/a", true), ("/caf\u{e9}", "/caf%C3%A9", true), ("/caf\u{e9}/**", "/caf%c3%a9/x", true),
            ("/caf%c3%a9", "/caf%C3%A9", true), ("/a b".replacing(" ", with: "%20"), "/a%20b", true), ("/a%2ab", "/a*b", false),
            ("/a%2Ab", "/a%2ab", true),
            ("/longer-than-eight/x", "/longer-than-eight/x", true), ("/longer-than-eight/x", "/longer-than-eight/y", false),
            ("/longer-than-eight/**", "/longer-than-eight", true), ("/longer-than-eight/**", "/longer-than-eightx", false),
            ("/1234567", "/1234567", true),
            ("/1234567", "/12345678", false), ("/123456", "/1234567", false), ("/1234567/**", "/1234567/", true),
        ])
    func patterns(_ pattern: String, _ path: String, _ matches: Bool) throws {
        let table = try RouteTable(makeConfiguration([makeRoute(pattern)]))
        #expect(table.outcome(path) == (matches ? "0" : "implicit"))
    }

    @Test(
        "CVE-2026-95811, CVE-2026-107333: an escaped unreserved character is the character, any other escape only itself",
        arguments: [
            ("/%61dmin", "0"), ("/%61%64%6d%69%6E/x", "0"), ("/admin%2Fx", "path-encoded-slash"), ("/admin%00", "path-encoded-nul"),
            ("/%2561dmin", "implicit"), ("/admin%20", "implicit"), ("/admin%3Fx", "implicit"), ("/admin;x", "path-semicolon"),
            ("//admin", "path-empty-segment"), ("/x/../admin", "path-dot-segment"), ("/public/..%2fadmin", "path-dot-segment"),
            ("/admin#x", "path-fragment"), ("/admin/%2e%2e/public", "path-dot-segment"), ("admin", "path-not-absolute"),
            ("", "path-not-absolute"),
            ("/Admin", "implicit"), ("/\\admin", "path-backslash"), ("/admin?x=/public", "path-query"),
        ])
    func escapes(_ path: String, _ expected: String) throws {
        let table = try RouteTable(makeConfiguration([makeRoute("/admin/**")]))
        #expect(table.outcome(path) == expected)
    }

    @Test("CVE-2025-54576: a query never matches, since a path with one is refused")
    func query() throws {
        let table = try RouteTable(makeConfiguration([makeRoute("/status", access: .public)]))
        #expect(table.outcome("/private?x=/status") == "path-query")
        #expect(table.outcome("/private%3fx=/status") == "implicit")
    }

    @Test("`paths: encoded` holds for its route only")
    func pathsPerRoute() throws {
        let table = try RouteTable(makeConfiguration([makeRoute("/files/**", paths: .encoded)]))
        #expect(table.outcome("/files/a%2Fb") == "0")
        #expect(table.outcome("/files/a;b//c") == "0")
        #expect(table.outcome("/other/a%2Fb") == "path-encoded-slash")
        #expect(table.outcome("/files/..%2Fx") == "path-dot-segment")
        let open = try RouteTable(makeConfiguration([makeRoute("/strict/**", paths: .strict)]) { $0.server.paths = .encoded })
        #expect(open.outcome("/strict/a;b") == "path-semicolon")
        #expect(open.outcome("/x/a;b") == "implicit")
    }

    @Test(
        "`pathCase: insensitive` folds ASCII letters on both sides, in every kind of pattern",
        arguments: ["/Admin", "/Admin/**", "/*/Admin", "/Admin/*/x"])
    func pathCase(_ pattern: String) throws {
        let table = try RouteTable(makeConfiguration([makeRoute(pattern)]) { $0.server.pathCase = .insensitive })
        let path = ["/Admin": "/aDMIN", "/Admin/**": "/ADMIN/x", "/*/Admin": "/q/admin", "/Admin/*/x": "/%41dmin/q/X"][pattern] ?? ""
        #expect(table.outcome(path) == "0")
        #expect(table.outcome("/other") == "implicit")
    }

    @Test(
        "CVE-2026-48794: the host is compared without case, port and trailing dot",
        arguments: [
            ("app.example.com", "app.example.com", true), ("app.example.com", "APP.example.com", true),
            ("app.example.com", "app.example.com:8443", true),
            ("app.example.com", "app.example.com.", true), ("app.example.com", "App.Example.Com.:443", true),
            ("APP.example.com.", "app.example.com", true),
            ("app.example.com:443", "app.example.com", true), ("app.example.com", "xapp.example.com", false),
            ("app.example.com", "app.example.co", false),
            ("app.example.com", "", false), ("app.example.com", "app.example.com..", false), ("*.example.com", "a.example.com", true),
            ("*.example.com", "a.b.EXAMPLE.com:1", true), ("*.example.com", "example.com", false), ("*.example.com", ".example.com", false),
            ("*.example.com", "evilexample.com", false), ("*.example.com", "a.example.com.evil", false),
            ("[2001:db8::1]", "[2001:DB8::1]:443", true),
            ("[2001:db8::1]", "[2001:db8::2]", false),
        ])
    func hosts(_ pattern: String, _ host: String, _ matches: Bool) throws {
        let table = try RouteTable(makeConfiguration([makeRoute(host: pattern), makeRoute("/**")]))
        #expect(table.outcome("/", host: host) == (matches ? "0" : "1"))
    }

    @Test("RFC 9110 section 7.4: when every route names a host, another host is answered 421")
    func unknownHost() throws {
        let table = try RouteTable(
            makeConfiguration([makeRoute("/a", host: "a.example.com"), makeRoute(host: "*.b.example.com", methods: ["GET"])]))
        #expect(table.outcome("/a", host: "a.example.com") == "0")
        #expect(table.outcome("/x", host: "a.example.com") == "implicit")
        #expect(table.outcome("/x", host: "c.example.com") == "421")
        #expect(table.outcome("/x", method: "POST", host: "x.b.example.com") == "implicit")
        #expect(table.outcome("/_gateway/login", host: "c.example.com") == "own:/login")
        let open = try RouteTable(makeConfiguration([makeRoute(host: "a.example.com"), makeRoute("/x")]))
        #expect(open.outcome("/", host: "c.example.com") == "implicit")
        #expect(try RouteTable(makeConfiguration([])).outcome("/", host: "any") == "implicit")
    }

    @Test(
        "RFC 9110 section 9.1: methods are compared with case, and no list is every method",
        arguments: [
            (["GET", "HEAD"], "GET", true), (["GET", "HEAD"], "HEAD", true), (["GET"], "HEAD", false), (["GET"], "get", false),
            (["GET"], "GETX", false),
            (["GET"], "\0GET", false), ([], "PROPFIND", true), (["PROPFIND"], "PROPFIND", true), (["PROPFIND"], "REPORT", false),
            (["PROPFIND"], "GET", false),
            (["POST", "PUT", "DELETE", "PATCH", "OPTIONS"], "OPTIONS", true),
            (["POST", "PUT", "DELETE", "PATCH", "OPTIONS"], "PATCH", true),
            (["POST", "PUT", "DELETE"], "PATCH", false), (["GET"], "", false), (["M-SEARCH", "LOCK"], "LOCK", true),
        ] as [([String], String, Bool)])
    func methods(_ methods: [String], _ method: String, _ matches: Bool) throws {
        let table = try RouteTable(makeConfiguration([makeRoute(methods: methods)]))
        #expect(table.outcome("/", method: method) == (matches ? "0" : "implicit"))
    }

    @Test("The first match wins, and what no route matches asks for a sign-in")
    func order() throws {
        let table = try RouteTable(
            makeConfiguration([
                makeRoute("/a/b", access: .public), makeRoute("/a/**", methods: ["GET"]), makeRoute("/a/**", host: "b.example.com"),
                makeRoute("/*/c"),
            ]))
        #expect(table.outcome("/a/b") == "0")
        #expect(table.outcome("/a/c") == "1")
        #expect(table.outcome("/a/c", method: "POST") == "3")
        #expect(table.outcome("/a/c", method: "POST", host: "b.example.com") == "2")
        #expect(table.outcome("/z") == "implicit")
        #expect(!table.implicit.policy.isPublic)
        #expect(table.routes[0].policy.isPublic)
    }

    @Test(
        "The gateway's own endpoints come before every route, in their one spelling",
        arguments: [
            ("/_gateway/login", "own:/login"), ("/_gateway", "own:"), ("/_gateway/", "own:/"), ("/%5fgateway/log%69n", "own:/login"),
            ("/_gateway/login/github.com~partners", "own:/login/github.com~partners"), ("/_gatewayx", "0"), ("/_GATEWAY/login", "0"),
            ("/_gateway/a%2Fb", "path-encoded-slash"), ("/_gateway/..", "path-dot-segment"), ("/_gateway//x", "path-empty-segment"),
        ])
    func ownEndpoints(_ path: String, _ expected: String) throws {
        let table = try RouteTable(makeConfiguration([makeRoute("/**", access: .public, paths: .encoded)]))
        #expect(table.outcome(path) == expected)
    }

    @Test(
        "What is no pattern is refused at its place",
        arguments: [
            ("", .notAbsolute, 0), ("admin", .notAbsolute, 0), ("/a*", .partialWildcard, 2), ("/a/*b", .partialWildcard, 3),
            ("/***", .partialWildcard, 1),
            ("/{a}b", .partialWildcard, 1), ("/{}", .invalidCaptureName, 1), ("/{1a}", .invalidCaptureName, 1),
            ("/{a b}", .invalidCaptureName, 1),
            ("/{a}/x/{a}", .duplicateCapture, 7), ("/a%2", .incompleteEscape, 2), ("/a%zz", .incompleteEscape, 2),
            ("/a b", .unmatchableCharacter, 2),
            ("/a?x", .unmatchableCharacter, 2), ("/a#x", .unmatchableCharacter, 2), ("/a\\b", .unmatchableCharacter, 2),
            ("/a/../b", .dotSegment, 3),
            ("/%2e", .dotSegment, 1), ("/a\u{7f}", .unmatchableCharacter, 2),
        ] as [(String, RoutePatternError.Reason, Int)])
    func malformedPatterns(_ pattern: String, _ reason: RoutePatternError.Reason, _ offset: Int) {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(pattern) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(throws: RoutePatternError.self) { try RouteTable(makeConfiguration([makeRoute(pattern)])) }
    }

    @Test(
        "A host pattern is a name, or `*.` and a name",
        arguments: ["", "*", "*.", ".", "*.*.example.com", "a.*.com", ":443", "*example.com"])
    func malformedHosts(_ host: String) {
        #expect(throws: RoutePatternError.self) { try HostPattern(host) }
    }

    @Test("Captured segments are given as ranges of the path")
    func captures() throws {
        let pattern = try RoutePattern("/a/{first}/**/x/{second}")
        let path = Array("/a/b/c/x/d".utf8)
        let found = pattern.captures(in: path).map { "\($0.name)=\(String(decoding: path[$0.range], as: UTF8.self))" }
        #expect(found == ["first=b", "second=d"])
        #expect(pattern.captures(in: Array("/a/b".utf8)).isEmpty)
        #expect(pattern.captures(in: []).isEmpty)
        #expect(try RoutePattern("/A/{x}").captures(in: Array("/a/Q".utf8), ignoringCase: true).first?.name == "x")
    }
}
