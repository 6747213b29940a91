package import Config
package import HTTPWire

/// One route as requests meet it.
package final class Route: Sendable {
    /// Position in the configuration; one past the last for the route of everything that no other matches.
    package let index: Int
    /// The line of the route's first key; 0 for the implicit one.
    package let line: Int
    /// `admin.example.com/reports/**`: names the route in metrics and logs.
    package let label: String
    package let pattern: RoutePattern
    /// nil when neither the route nor the configuration names one.
    package let upstream: UpstreamConfiguration?
    /// The upstream's place in `RouteTable.upstreams`; -1 without one.
    package let upstreamIndex: Int
    package let policy: AccessPolicy
    package let pathStrictness: PathStrictness
    /// nil: an `Authorization` header is the app's business.
    package let bearer: BearerConfiguration?
    /// Makes the path that the upstream sees; nil: the one that came.
    package let rewriting: PathTemplate?
    /// True for the route of everything that no other matches.
    package let isImplicit: Bool

    init(
        _ route: RouteConfiguration, index: Int, pattern: RoutePattern, configuration: Configuration,
        upstreams: [UpstreamConfiguration: Int]
    ) throws(PathTemplateError) {
        self.index = index
        self.pattern = pattern
        isImplicit = index == configuration.routes.count
        line = route.line
        label = (route.methods.isEmpty ? "" : route.methods.joined(separator: ",") + " ") + (route.host ?? "") + route.path
        upstream = route.upstream ?? configuration.upstream
        upstreamIndex = upstream.flatMap { upstreams[$0] } ?? -1
        policy = AccessPolicy(route.access)
        bearer = configuration.bearer(of: route)
        pathStrictness = PathStrictness(route.paths ?? configuration.server.paths)
        if let prefix = route.routing.stripPrefix {
            rewriting = try PathTemplate(
                strippingPrefix: prefix, of: pattern, ignoringCase: configuration.server.pathCase == .insensitive)
        } else if let template = route.routing.rewrite {
            rewriting = try PathTemplate(template, of: pattern)
        } else {
            rewriting = nil
        }
    }

    /// The same route as another object.
    init(_ other: Route) {
        index = other.index
        line = other.line
        label = other.label
        pattern = other.pattern
        upstream = other.upstream
        upstreamIndex = other.upstreamIndex
        policy = other.policy
        pathStrictness = other.pathStrictness
        bearer = other.bearer
        rewriting = other.rewriting
        isImplicit = other.isImplicit
    }
}

extension PathStrictness {
    package init(_ policy: PathPolicy) {
        switch policy {
        case .strict: self = .strict
        case .encoded: self = .encoded
        }
    }
}
