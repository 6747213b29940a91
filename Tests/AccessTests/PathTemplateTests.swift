import Config
import HTTPWire
import Testing

@testable import Access

@Suite("Rewritten paths")
struct PathTemplateTests {
    /// What the upstream sees of a path, the refusal's code, or the number of another route.
    private static func forwarded(
        _ path: String, pattern: String, stripPrefix: String? = nil, rewrite: String? = nil, paths: PathPolicy = .strict,
        pathCase: PathCase = .sensitive
    ) throws -> String {
        var route = makeRoute(pattern, paths: paths)
        route.routing.stripPrefix = stripPrefix
        route.routing.rewrite = rewrite
        let table = try RouteTable(makeConfiguration([route]) { $0.server.pathCase = pathCase })
        switch table.resolve(path) {
        case .matched(let match): return match.forwardedPath.map { String(decoding: $0, as: UTF8.self) } ?? "as it came"
        case .refused(let refusal): return refusal.rawValue
        case .own, .unknownHost: return "elsewhere"
        }
    }

    @Test(
        "stripPrefix takes whole segments away, in any spelling that matched",
        arguments: [
            ("/api/x", "/x"), ("/api/x/", "/x/"), ("/api", "/"), ("/api/", "/"), ("/%61pi/x", "/x"), ("/api/%61", "/%61"),
            ("/api/a%20b", "/a%20b"), ("/api/api/x", "/api/x"), ("/apix", "as it came"), ("/x", "as it came"),
        ])
    func stripping(path: String, expected: String) throws {
        #expect(try Self.forwarded(path, pattern: "/api/**", stripPrefix: "/api") == expected)
    }

    @Test("stripPrefix of several segments, and without regard to case where paths have none")
    func strippingMore() throws {
        #expect(try Self.forwarded("/a/b/c", pattern: "/a/b/**", stripPrefix: "/a/b") == "/c")
        #expect(try Self.forwarded("/a/b/c", pattern: "/a/b/**", stripPrefix: "/a") == "/b/c")
        #expect(try Self.forwarded("/API/C", pattern: "/api/**", stripPrefix: "/Api", pathCase: .insensitive) == "/C")
    }

    @Test(
        "rewrite puts in what was captured, as the bytes that came",
        arguments: [
            ("/old/{name}", "/new/{name}", "/old/a%20B", "/new/a%20B"), ("/old/{name}", "/new/{name}", "/old/%61", "/new/%61"),
            ("/u/{id}/f/{file}", "/files/{file}.by.{id}", "/u/7/f/x", "/files/x.by.7"), ("/old/**", "/new/**", "/old/a/b", "/new/a/b"),
            ("/old/**", "/new/**", "/old", "/new"), ("/old/**", "/new/**", "/old/", "/new/"), ("/old/**", "/**", "/old", "/"),
            ("/t/{tenant}/**", "/{tenant}/api/**", "/t/acme/x/y", "/acme/api/x/y"), ("/**/{last}", "/one/{last}", "/a/b/c", "/one/c"),
            ("/x/**/{a}/{b}", "/{b}/{a}", "/x/1/2/3/4", "/4/3"), ("/x/*", "/fixed", "/x/1", "/fixed"), ("/x", "/", "/x", "/"),
            ("/old/{n}", "/a%2Fb/{n}", "/old/1", "path-encoded-slash"),
        ])
    func rewriting(pattern: String, template: String, path: String, expected: String) throws {
        #expect(try Self.forwarded(path, pattern: pattern, rewrite: template) == expected)
    }

    @Test(
        "CVE-2026-48020, CVE-2026-40912: no rewritten path has a dot segment, names another host or is one that would have been refused",
        arguments: [
            ("/api/**", "/api", nil, "/api//evil.example/x", "path-empty-segment"),
            ("/api/**", "/api", nil, "/api/..%2fadmin", "path-dot-segment"),
            ("/api/**", "/api", nil, "/api/%2e%2e/admin", "path-dot-segment"),
            ("/api/**", "/api", nil, "/api/;/x", "/;/x"),
            ("/x/{n}", nil, "/a/.{n}", "/x/;y", "path-dot-segment"),
            ("/x/{n}", nil, "/a/.{n}", "/x/%3By", "path-dot-segment"),
            ("/x/{n}", nil, "/a/.{n}/b", "/x/%2Fy", "path-dot-segment"),
            ("/x/{n}", nil, "/{n}", "/x/%2Fevil", "/%2Fevil"),
            ("/x/**", nil, "/**", "/x//evil.example", "path-empty-segment"),
            ("/x/**", nil, "/y/**", "/x//z", "/y//z"),
        ] as [(String, String?, String?, String, String)])
    func hostile(pattern: String, prefix: String?, template: String?, path: String, expected: String) throws {
        #expect(try Self.forwarded(path, pattern: pattern, stripPrefix: prefix, rewrite: template, paths: .encoded) == expected)
    }

    @Test(
        "a rewriting that does not fit its route is refused when the routes are compiled",
        arguments: [
            ("/api/**", "/other", nil, .notItsPrefix), ("/**", "/api", nil, .notItsPrefix), ("/{x}/**", "/api", nil, .notItsPrefix),
            ("/a", "/a/b", nil, .notItsPrefix), ("/apix/**", "/api", nil, .notItsPrefix), ("/API/**", "/api", nil, .notItsPrefix),
            ("/a", nil, "b", .notAbsolute), ("/a", nil, "//evil.example", .emptySegment), ("/a", nil, "/b//c", .emptySegment),
            ("/a", nil, "/b/../c", .dotSegment), ("/a", nil, "/b/%2e%2E/c", .dotSegment), ("/{n}", nil, "/b/{m}", .unknownCapture("m")),
            ("/{n}", nil, "/b/{n", .malformedCapture), ("/{n}", nil, "/b/n}", .malformedCapture), ("/*", nil, "/b/*", .strayWildcard),
            ("/a/*", nil, "/b/**", .nothingToAppend), ("/**/a", nil, "/b/**", .nothingToAppend), ("/**", nil, "/**/b", .strayWildcard),
            ("/**/{n}/**", nil, "/{n}", .severalWildcards), ("/**/a/**", nil, "/b/**", .severalWildcards),
            ("/a", nil, "/b?c", .unusableCharacter), ("/a", nil, "/b#c", .unusableCharacter), ("/a", nil, "/b c", .unusableCharacter),
            ("/a", nil, "/b\\c", .unusableCharacter), ("/a", nil, "/b%zz", .unusableCharacter), ("/a", nil, "/é", .unusableCharacter),
        ] as [(String, String?, String?, PathTemplateError.Reason)])
    func misfits(pattern: String, prefix: String?, template: String?, reason: PathTemplateError.Reason) {
        #expect(throws: PathTemplateError(reason)) { try Self.forwarded("/", pattern: pattern, stripPrefix: prefix, rewrite: template) }
    }

    @Test("the permit of a session carries the path of each request, remembered or not")
    func permits() throws {
        var route = makeRoute("/api/**")
        route.routing.stripPrefix = "/api"
        let table = try RouteTable(makeConfiguration([route]))
        var memory = PermitMemory()
        for (path, expected) in [("/api/1", "/1"), ("/api/2", "/2")] {
            guard case .matched(let match) = table.resolve(path),
                case .permit(let permit) = memory.decide(for: match, signedIn: makeSession(), now: 2_000_000)
            else {
                Issue.record("the route matches and admits")
                return
            }
            #expect(permit.forwardedPath == Array(expected.utf8))
        }
    }
}

@Suite("Redirections")
struct RedirectTargetTests {
    private static func location(
        _ to: String, _ pattern: String, _ path: String, query: String = "", _ strictness: PathStrictness = .strict
    ) throws -> String? {
        let target = try RedirectTarget(to, of: RoutePattern(pattern))
        return withBytes(path) { path in withBytes(query) { target.location(for: path, query: $0, strictness) } }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "the host is fixed, the path takes captures, the query goes on unless there is one",
        arguments: [
            ("https://new.example.com/{p}", "/old/{p}", "/old/x", "?a=1", "https://new.example.com/x?a=1"),
            ("https://new.example.com/**", "/old/**", "/old/a/b", "", "https://new.example.com/a/b"),
            ("https://new.example.com", "/old", "/old", "", "https://new.example.com/"),
            ("https://New.Example.com:443/", "/old", "/old", "", "https://new.example.com/"),
            ("/new/{p}?x=1", "/old/{p}", "/old/y", "?a=1", "/new/y?x=1"), ("http://127.0.0.1:80/", "/a", "/a", "", "http://127.0.0.1/"),
        ])
    func locations(to: String, pattern: String, path: String, query: String, expected: String) throws {
        #expect(try Self.location(to, pattern, path, query: query) == expected)
    }

    @Test("a path that would lead to another host is none: the request is refused")
    func networkPath() throws {
        #expect(try Self.location("/**", "/old/**", "/old//evil.example", .encoded) == nil)
        #expect(try Self.location("https://a.example/**", "/old/**", "/old//x", .encoded) == nil)
    }

    @Test(
        "a target whose host a client could choose, or that is no target, is refused when it is compiled",
        arguments: [
            ("https://{p}/", .openHost), ("https://{p}.example.com/", .openHost), ("https://example.com{p}/", .openHost),
            ("https://example.com:{p}/", .openHost), ("https://user@example.com/", .openHost), ("//example.com/", .openHost),
            ("/\\example.com/", .openHost), ("https://a\\@b/", .openHost), ("http://example.com/", .insecure),
            ("javascript://a/%0aalert(1)", .notAbsolute), ("javascript:alert(1)", .notAbsolute), ("example.com", .notAbsolute),
            ("https:///x", .notAbsolute), ("{p}", .notAbsolute), ("https://example.com/{q}", .template(.init(.unknownCapture("q")))),
            ("https://example.com/#{p}", .template(.init(.unusableCharacter))), ("/x?y={p}", .template(.init(.unusableCharacter))),
            ("/x#y", .template(.init(.unusableCharacter))), ("https://example.com/x\r\ny", .template(.init(.unusableCharacter))),
        ] as [(String, RedirectTargetError)])
    func refusals(to: String, error: RedirectTargetError) {
        #expect(throws: error) { try Self.location(to, "/old/{p}", "/old/x") }
    }
}
