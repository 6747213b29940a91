import Access
import Config
import TestTools
import Testing

@Suite struct RouteShadowingTests {
    private func shadowed(_ routes: [RouteConfiguration], _ pathCase: PathCase = .sensitive) -> [String] {
        RouteCoverage(routes, pathCase: pathCase).shadowed.map { "\($0.route) by \($0.shadowedBy)" }
    }

    @Test(
        "An earlier path covers a later one wholly, or not",
        arguments: [
            ("/**", "/a", true), ("/**", "/**", true), ("/**", "/", true), ("/a/**", "/a", true), ("/a/**", "/a/", true),
            ("/a/**", "/a/b/**", true),
            ("/a/**", "/a/*/c", true), ("/a/**", "/**", false), ("/a", "/a", true), ("/a", "/a/", false), ("/a", "/b", false),
            ("/a/*", "/a/b", true),
            ("/a/*", "/a/{id}", true), ("/a/{id}", "/a/*", true), ("/a/*", "/a/**", false), ("/a/*", "/a/", false), ("/a/*", "/a", false),
            ("/*/**", "/**", false), ("/*/**", "/a/**", true), ("/**/b", "/a/b", true), ("/**/b", "/a/**/b", true),
            ("/a/**/b", "/**/b", false),
            ("/**/a/**", "/x/a/y", true), ("/**/a/**", "/x/*/y", false), ("/**/a/**/a/**", "/**/a/a/**", true),
            ("/**/a/a/**", "/**/a/**/a/**", false),
            ("/%61", "/a", true), ("/caf\u{e9}", "/caf%c3%a9", true), ("/A", "/a", false), ("/**/*", "/a", true), ("/**/*", "/a/", false),
        ])
    func paths(_ earlier: String, _ later: String, _ covers: Bool) {
        #expect(shadowed([makeRoute(earlier), makeRoute(later)]) == (covers ? ["1 by 0"] : []))
    }

    @Test("Hosts and methods must be covered too")
    func hostsAndMethods() {
        #expect(shadowed([makeRoute(host: "a.example.com"), makeRoute("/x")]).isEmpty)
        #expect(shadowed([makeRoute(), makeRoute("/x", host: "a.example.com")]) == ["1 by 0"])
        #expect(shadowed([makeRoute(host: "A.example.com."), makeRoute(host: "a.example.com:443")]) == ["1 by 0"])
        #expect(shadowed([makeRoute(host: "*.example.com"), makeRoute(host: "a.b.example.com")]) == ["1 by 0"])
        #expect(shadowed([makeRoute(host: "*.example.com"), makeRoute(host: "*.b.example.com")]) == ["1 by 0"])
        #expect(shadowed([makeRoute(host: "*.example.com"), makeRoute(host: "example.com")]).isEmpty)
        #expect(shadowed([makeRoute(host: "*.b.example.com"), makeRoute(host: "*.example.com")]).isEmpty)
        #expect(shadowed([makeRoute(methods: ["GET"]), makeRoute()]).isEmpty)
        #expect(shadowed([makeRoute(methods: ["GET", "HEAD"]), makeRoute(methods: ["HEAD"])]) == ["1 by 0"])
        #expect(shadowed([makeRoute(methods: ["GET"]), makeRoute(methods: ["GET", "HEAD"])]).isEmpty)
        #expect(shadowed([makeRoute(), makeRoute(methods: ["GET"])]) == ["1 by 0"])
    }

    @Test("Each shadowed route is told once, with the first that covers it; malformed ones are passed over")
    func several() {
        let routes = [makeRoute("/a/**"), makeRoute("/a/b"), makeRoute("bad"), makeRoute("/**"), makeRoute("/a/b"), makeRoute("/c")]
        #expect(shadowed(routes) == ["1 by 0", "4 by 0", "5 by 3"])
        #expect(shadowed([makeRoute("/A/**"), makeRoute("/a")], .insensitive) == ["1 by 0"])
    }

    @Test("The analysis agrees with the matcher on random patterns and every short path")
    func agreesWithMatcher() throws {
        var random = SeededGenerator(fixed: 5)
        let segments = ["a", "b", "*", "**", ""]
        let letters = ["a", "b", "c", ""]
        var paths: [String] = [""]
        var all: [String] = []
        for _ in 0..<4 {
            paths = paths.flatMap { path in letters.map { path + "/" + $0 } }
            all += paths
        }
        for _ in 0..<400 {
            // An empty segment stands at the end only: `//` inside a pattern is where the analysis may miss a shadow.
            func pattern() -> String {
                let count = Int(random.next() % 4 + 1)
                return (1...count).map { "/" + segments[Int(random.next() % ($0 == count ? 5 : 4))] }.joined()
            }
            let routes = [makeRoute(pattern(), paths: .encoded), makeRoute(pattern(), paths: .encoded)]
            let earlier = try RouteTable(makeConfiguration([routes[0]]) { $0.server.paths = .encoded })
            let later = try RouteTable(makeConfiguration([routes[1]]) { $0.server.paths = .encoded })
            let witness = all.first { later.outcome($0) == "0" && earlier.outcome($0) != "0" }
            #expect(shadowed(routes).isEmpty == (witness != nil), "\(routes[0].path) over \(routes[1].path): \(witness ?? "none")")
        }
    }

    @Test(
        "A route under the gateway's own prefix is told from one that only covers it",
        arguments: [
            ("/_gateway", true), ("/_gateway/", true), ("/_gateway/**", true), ("/_gateway/login", true), ("/%5fgateway/{x}", true),
            ("/**", false),
            ("/*/login", false), ("/_gatewayx", false), ("/_gatewayx/**", false), ("/a/_gateway", false), ("/", false),
        ])
    func ownPrefix(_ pattern: String, _ lies: Bool) throws {
        #expect(try RoutePattern(pattern).liesWithin(prefix: "/_gateway") == lies)
    }

    @Test("A pattern with `//` inside that hides a later one may be missed, and none is reported wrongly")
    func emptySegments() throws {
        #expect(shadowed([makeRoute("/**/*//**", paths: .encoded), makeRoute("/a/**/", paths: .encoded)]).isEmpty)
        #expect(shadowed([makeRoute("/a//**", paths: .encoded), makeRoute("/a//b", paths: .encoded)]) == ["1 by 0"])
        #expect(shadowed([makeRoute("/*/**", paths: .encoded), makeRoute("//**", paths: .encoded)]).isEmpty)
    }

    @Test("What one route takes of another is asked of the same matcher")
    func cover() {
        let coverage = RouteCoverage([makeRoute("/a/**", methods: ["POST"]), makeRoute("/a/**"), makeRoute("/**")], pathCase: .sensitive)
        func first(_ route: RouteConfiguration) -> Int? {
            var steps = RouteCoverage.stepLimit
            return coverage.first(covering: route, steps: &steps)
        }
        #expect(first(makeRoute("/a/b", methods: ["GET"])) == 1)
        #expect(first(makeRoute("/a/b", methods: ["POST"])) == 0)
        #expect(first(makeRoute("/b", host: "x.example.com")) == 2)
        #expect(first(makeRoute("bad")) == nil)
    }
}
