import Config
import TestTools
import Testing

@testable import Access

@Suite struct RouteMatcherTests {
    private func matcher(_ routes: [RouteConfiguration], ignoringCase: Bool = false) throws -> RouteMatcher {
        var builder = RouteMatcherBuilder(ignoringCase: ignoringCase)
        for route in routes { try builder.append(RoutePattern(route.path), host: route.host, methods: route.methods) }
        return RouteMatcher(builder)
    }

    private func match(_ matcher: RouteMatcher, _ method: String, _ host: String, _ path: String) -> (route: Int?, steps: Int) {
        withBytes(method) { method in
            withBytes(host) { host in
                withBytes(path) { path in
                    let (best, remaining) = matcher.search(method: method, hostName: host, canonicalPath: path, steps: 1_000_000)
                    return (best, 1_000_000 - remaining)
                }
            }
        }
    }

    // MARK: Correctness

    /// One pattern against one path, segment by segment.
    private func matches(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>, _ ignoringCase: Bool) -> Bool {
        guard let segment = pattern.first else { return path.isEmpty }
        if segment == "**" {
            return (0...path.count).contains { matches(pattern.dropFirst(), path.dropFirst($0), ignoringCase) }
        }
        guard let first = path.first else { return false }
        let fits =
            segment == "*" || segment.hasPrefix("{")
            ? !first.isEmpty : ignoringCase ? segment.lowercased() == first.lowercased() : segment == first
        return fits && matches(pattern.dropFirst(), path.dropFirst(), ignoringCase)
    }

    private func expected(_ routes: [RouteConfiguration], _ method: String, _ host: String, _ path: String, _ ignoringCase: Bool) -> Int? {
        func split(_ text: String) -> ArraySlice<String> {
            text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[1...]
        }
        return routes.firstIndex { route in
            let isHost =
                route.host.map { pattern in
                    pattern.hasPrefix("*.") ? host.lowercased().hasSuffix(pattern.dropFirst().lowercased()) : pattern == host.lowercased()
                } ?? true
            let isMethod = route.methods.isEmpty || route.methods.contains(method)
            return isHost && isMethod && matches(split(route.path), split(path), ignoringCase)
        }
    }

    @Test("The first of many random routes that matches is found", arguments: [false, true])
    func agreesWithOneByOne(ignoringCase: Bool) throws {
        var random = SeededGenerator(fixed: ignoringCase ? 11 : 7)
        let segments = ["a", "b", "A", "*", "**", "{x}", ""]
        let hosts: [String?] = [nil, nil, "a.example.com", "*.example.com", "*.b.example.com", "b.example.com"]
        let methods = [[], [], ["GET"], ["POST", "PURGE"], ["PURGE"], ["GET", "HEAD"], ["REPORT"]]
        for _ in 0..<300 {
            let routes = (0..<12).map { _ in
                var captures = 0
                let path = (0..<Int(random.next() % 5 + 1)).map { _ -> String in
                    let segment = segments[Int(random.next() % 7)]
                    captures += 1
                    return "/" + (segment == "{x}" ? "{x\(captures)}" : segment)
                }.joined()
                return makeRoute(path, host: hosts[Int(random.next() % 6)], methods: methods[Int(random.next() % 7)])
            }
            let matcher = try matcher(routes, ignoringCase: ignoringCase)
            for _ in 0..<40 {
                let path = (0..<Int(random.next() % 6 + 1)).map { _ in "/" + ["a", "b", "A", "c", ""][Int(random.next() % 5)] }.joined()
                let host = ["a.example.com", "B.example.com", "c.b.example.com", "example.com", "other.org"][Int(random.next() % 5)]
                let method = ["GET", "POST", "PURGE", "PUT", "TRACK"][Int(random.next() % 5)]
                #expect(
                    match(matcher, method, host, path).route == expected(routes, method, host, path, ignoringCase),
                    "\(method) \(host) \(path) in \(routes.map { "\($0.methods) \($0.host ?? "") \($0.path)" })")
            }
        }
    }

    @Test("Only a pattern for everything matches a path without a leading slash", arguments: ["*", ""])
    func noSlash(path: String) throws {
        #expect(match(try matcher([makeRoute("/**/*"), makeRoute("/"), makeRoute("/**")]), "OPTIONS", "a", path).route == 2)
    }

    @Test("A host name of dots only is looked at once for each byte")
    func dots() throws {
        let matcher = try matcher([makeRoute(host: "*.example.com"), makeRoute("/a", host: "a.example.com")])
        #expect(match(matcher, "GET", String(repeating: ".", count: 30_000), "/").route == nil)
        #expect(matcher.knows(hostName: "".utf8.span.bytes) == false)
    }

    @Test("A pattern of more than 256 segments is refused")
    func depth() throws {
        #expect(throws: Never.self) { try RoutePattern(String(repeating: "/*", count: 256)) }
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(String(repeating: "/*", count: 257)) }
        #expect(error?.reason == .tooManySegments)
        #expect(error?.offset == 513)
    }

    // MARK: Work

    struct Shape: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A path that no route of the shape matches early.
        var path: String
        var route: @Sendable (Int) -> RouteConfiguration
    }

    static let count = 10_000
    static let shapes: [Shape] = [
        Shape(testDescription: "literals", path: "/app9999/x") { makeRoute("/app\($0)/x") },
        Shape(testDescription: "prefixes", path: "/app9999/x/y/z") { makeRoute("/app\($0)/**") },
        Shape(testDescription: "overlapping wildcards", path: "/x/a9999/y") { makeRoute("/*/a\($0)/**") },
        Shape(testDescription: "captures", path: "/x/v9999/y") { makeRoute("/{x}/v\($0)/{y}") },
        Shape(testDescription: "`**` in the middle", path: "/x/y/m9999/end") { makeRoute("/**/m\($0)/end") },
        Shape(testDescription: "several `**`", path: "/a/x/b9999/y/c") { makeRoute("/a/**/b\($0)/**/c") },
        Shape(testDescription: "hosts", path: "/x/y") { makeRoute("/x/**", host: "h\($0).example.com") },
        Shape(testDescription: "wildcard hosts", path: "/x/1/y") { makeRoute("/x/*/y", host: "*.h\($0).example.com") },
        Shape(testDescription: "methods", path: "/r1999/x") {
            makeRoute("/r\($0 / 5)/*", methods: [["GET", "POST", "PUT", "HEAD", "M\($0)"][$0 % 5]])
        },
        Shape(testDescription: "methods of one path", path: "/x") { makeRoute("/x", methods: ["GET", "M\($0)"]) },
        Shape(testDescription: "one path", path: "/same/1/x") { _ in makeRoute("/same/*/x") },
    ]

    @Test("Ten thousand routes: a request visits a few nodes, and looking for shadowed routes a few for each", arguments: shapes)
    func steps(shape: Shape) throws {
        let routes = (0..<Self.count).map(shape.route)
        let matcher = try matcher(routes)
        for host in ["h9999.example.com", "x.h9999.example.com"] {
            let (_, steps) = match(matcher, "GET", host, shape.path)
            #expect(steps <= 20, "\(steps)")
        }
        var steps = RouteCoverage.stepLimit
        _ = RouteCoverage(routes, pathCase: .sensitive).shadowed(steps: &steps)
        #expect(RouteCoverage.stepLimit - steps <= 15 * Self.count, "\(RouteCoverage.stepLimit - steps)")
    }

    @Test("Patterns that branch at every segment end at the limit of work, and report only routes that are shadowed")
    func bounded() {
        // Every combination of a literal and `*`: each later pattern is covered by none or by many.
        let routes = (0..<4096).map { number in
            makeRoute((0..<12).map { number >> $0 & 1 == 1 ? "/*" : "/s\($0)" }.joined())
        }
        let coverage = RouteCoverage(routes + [routes[4095]], pathCase: .sensitive)
        var steps = RouteCoverage.stepLimit
        #expect(coverage.shadowed(steps: &steps) == [ShadowedRoute(route: 4096, shadowedBy: 4095)])
        var few = 1_000
        #expect(coverage.shadowed(steps: &few).isEmpty)
        #expect(few <= 0)
    }
}
