package import Config

/// A route that no request reaches, because an earlier one takes all of its requests.
package struct ShadowedRoute: Sendable, Hashable {
    /// Positions in the configuration.
    package let route: Int
    package let shadowedBy: Int
    package init(route: Int, shadowedBy: Int) {
        self.route = route
        self.shadowedBy = shadowedBy
    }
}

/// What routes take of each other's requests, asked of the matcher that serves them.
///
/// Exact for single routes, but for patterns with `//` inside: `/a/*` covers `/a/{id}`, `/**/b` covers `/a/**/b`. Several routes that only
/// together cover another one are not found. A route whose pattern cannot be compiled is left out: other findings report it.
package struct RouteCoverage: Sendable {
    private let shapes: [(index: Int, shape: RouteShape)]
    private let matcher: RouteMatcher

    /// The work of one question about all routes. Ten thousand routes of ordinary shapes need a hundredth of it.
    package static let stepLimit = 10_000_000

    package init(_ routes: [RouteConfiguration], pathCase: PathCase) {
        var shapes: [(index: Int, shape: RouteShape)] = []
        var builder = RouteMatcherBuilder(ignoringCase: pathCase == .insensitive)
        for (index, route) in routes.enumerated() {
            guard let shape = RouteShape(route, ignoringCase: builder.ignoringCase) else { continue }
            builder.append(shape)
            shapes.append((index, shape))
        }
        self.shapes = shapes
        matcher = RouteMatcher(builder)
    }

    /// The routes that one earlier route covers wholly, by host, methods and path, in file order, each with the first that does.
    package var shadowed: [ShadowedRoute] {
        var steps = Self.stepLimit
        return shadowed(steps: &steps)
    }

    /// - Parameter steps: how many nodes of the matcher may be visited, counted down. Routes beyond that are not examined.
    func shadowed(steps: inout Int) -> [ShadowedRoute] {
        var result: [ShadowedRoute] = []
        for (number, (index, shape)) in shapes.enumerated() {
            guard steps > 0 else { break }
            if let earlier = matcher.firstCover(of: shape, before: number, steps: &steps) {
                result.append(ShadowedRoute(route: index, shadowedBy: shapes[earlier].index))
            }
        }
        return result
    }

    /// The first route that takes all requests of another one. `steps` is counted down; nil once none remain.
    package func first(covering route: RouteConfiguration, steps: inout Int) -> Int? {
        guard steps > 0, let shape = RouteShape(route, ignoringCase: matcher.ignoringCase) else { return nil }
        return matcher.firstCover(of: shape, before: shapes.count, steps: &steps).map { shapes[$0].index }
    }
}

extension RouteShape {
    /// Nil for patterns that cannot be compiled.
    fileprivate init?(_ route: RouteConfiguration, ignoringCase: Bool) {
        guard let pattern = try? RoutePattern(route.path),
            let shape = try? RouteShape(pattern, host: route.host, methods: route.methods, ignoringCase: ignoringCase)
        else { return nil }
        self = shape
    }
}

extension RoutePattern {
    /// True when the pattern takes nothing but a prefix (`/_gateway`) and what lies under it: the gateway answers all of that itself.
    /// False for a prefix that is no pattern.
    package func liesWithin(prefix: String) -> Bool {
        // Nearly every path begins otherwise; an escape may spell the same.
        if case .literal(let first)? = segments.first, !prefix.utf8.contains(UInt8(ascii: "%")),
            !first.elementsEqual(prefix.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
        {
            return false
        }
        guard let outer = try? RoutePattern(prefix) else { return false }
        return segments.starts(with: outer.segments)
    }
}
