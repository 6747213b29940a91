package import Config
package import HTTPWire

/// A compiled route.
package final class Route: Sendable {
    /// The position in the configuration; one past the last for the implicit route.
    package let index: Int
    /// The line of the route's first key; 0 for the implicit route.
    package let line: Int
    /// `admin.example.com/reports/**`: the route's name in metrics and logs.
    package let label: String
    package let pattern: RoutePattern
    /// Nil if neither the route nor the configuration has an upstream.
    package let upstream: UpstreamConfiguration?
    /// The index in `RouteTable.upstreams`; -1 without an upstream.
    package let upstreamIndex: Int
    package let policy: AccessPolicy
    package let pathStrictness: PathStrictness
    /// Nil if the gateway passes the `Authorization` header on to the app.
    package let bearer: BearerConfiguration?
    /// The rewrite of the upstream's path; nil to forward it unchanged.
    package let rewriting: PathTemplate?
    /// True if this is the implicit route for unmatched requests.
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
        policy = AccessPolicy(route.access, pattern: pattern)
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

    /// Copies a route into another object.
    init(_ other: Route) {
        index = other.index
        line = other.line
        label = other.label
        pattern = other.pattern
        upstream = other.upstream
        upstreamIndex = other.upstreamIndex
        policy = other.policy.copy()
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
