package import Config

/// A route that no request reaches, because an earlier route matches all of its requests.
package struct ShadowedRoute: Sendable, Hashable {
    /// The positions in the configuration.
    package let route: Int
    package let shadowedBy: Int
    package init(route: Int, shadowedBy: Int) {
        self.route = route
        self.shadowedBy = shadowedBy
    }
}

/// Finds routes that cover each other, with the matcher that serves requests.
///
/// Exact for single routes except for patterns with `//` inside: `/a/*` covers `/a/{id}`, `/**/b` covers `/a/**/b`. Does not find several
/// routes that only together cover another. Skips patterns that cannot be compiled, which other findings report.
package struct RouteCoverage: Sendable {
    private let shapes: [(index: Int, shape: RouteShape)]
    private let matcher: RouteMatcher

    /// The limit of steps per query over all routes. Ten thousand ordinary routes need about a hundredth of it.
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

    /// The routes that an earlier route covers completely, by host, methods and path, each with the first such route, in file order.
    package var shadowed: [ShadowedRoute] {
        var steps = Self.stepLimit
        return shadowed(steps: &steps)
    }

    /// - Parameter steps: the number of matcher nodes that may be visited, counted down. Routes beyond the limit are not checked.
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

    /// The first route that matches all requests of another one. `steps` is counted down; nil if none remain.
    package func first(covering route: RouteConfiguration, steps: inout Int) -> Int? {
        guard steps > 0, let shape = RouteShape(route, ignoringCase: matcher.ignoringCase) else { return nil }
        return matcher.firstCover(of: shape, before: shapes.count, steps: &steps).map { shapes[$0].index }
    }
}

extension RouteShape {
    /// Nil if a pattern cannot be compiled.
    fileprivate init?(_ route: RouteConfiguration, ignoringCase: Bool) {
        guard let pattern = try? RoutePattern(route.path),
            let shape = try? RouteShape(pattern, host: route.host, methods: route.methods, ignoringCase: ignoringCase)
        else { return nil }
        self = shape
    }
}

extension RoutePattern {
    /// Returns whether the pattern matches only a prefix (`/_gateway`) and paths below it, which the gateway answers itself.
    /// False if the prefix is not a pattern.
    package func liesWithin(prefix: String) -> Bool {
        // Skips the common case of another prefix; an escape may spell the same prefix.
        if case .literal(let first)? = segments.first, !prefix.utf8.contains(UInt8(ascii: "%")),
            !first.elementsEqual(prefix.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
        {
            return false
        }
        guard let outer = try? RoutePattern(prefix) else { return false }
        return segments.starts(with: outer.segments)
    }
}
