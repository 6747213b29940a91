package import Config
package import HTTPWire
import Primitives

/// The route of a request. Only `RouteTable.resolve` creates it, for an accepted path.
package struct RouteMatch: Sendable {
    package let route: Route
    /// The rewritten path for the upstream, checked like a received path.
    package let forwardedPath: [UInt8]?

    fileprivate init(route: Route, forwardedPath: [UInt8]?) {
        self.route = route
        self.forwardedPath = forwardedPath
    }
}

/// The target of a request, before authentication.
package enum RouteResolution: Sendable {
    case matched(RouteMatch)
    /// An endpoint of the gateway; `path` is the canonical part after the prefix, such as `/login`, or empty.
    case own(path: String)
    /// Rejected with 400.
    case refused(PathRefusal)
    /// Every route names a host, and none of them matches: rejected with 421 (RFC 9110 section 7.4).
    case unknownHost
}

/// The compiled routes. `resolve` allocates only for the gateway's own endpoints.
package struct RouteTable: Sendable {
    package private(set) var routes: [Route]
    /// The route for unmatched requests: the upstream, for every signed-in user.
    package private(set) var implicit: Route
    /// The distinct upstreams.
    package let upstreams: [UpstreamConfiguration]
    private let matcher: RouteMatcher
    private let pathPrefix: [UInt8]
    private let everyRouteNamesAHost: Bool

    /// Throws for a pattern that cannot be compiled or a rewrite that does not match its route. A validated configuration
    /// has neither.
    package init(_ configuration: Configuration) throws {
        upstreams = configuration.upstreams
        let indices = Dictionary(uniqueKeysWithValues: upstreams.enumerated().map { ($1, $0) })
        var routes: [Route] = []
        var builder = RouteMatcherBuilder(ignoringCase: configuration.server.pathCase == .insensitive)
        for (index, route) in configuration.routes.enumerated() {
            let pattern = try RoutePattern(route.path)
            try builder.append(pattern, host: route.host, methods: route.methods)
            routes.append(try Route(route, index: index, pattern: pattern, configuration: configuration, upstreams: indices))
        }
        self.routes = routes
        matcher = RouteMatcher(builder)
        implicit = try Route(
            RouteConfiguration(), index: routes.count, pattern: try RoutePattern("/**"), configuration: configuration,
            upstreams: indices)
        var prefix: [UInt8] = []
        RequestPath.appendCanonical(configuration.server.pathPrefix.utf8.span.bytes, to: &prefix)
        pathPrefix = prefix
        everyRouteNamesAHost = !routes.isEmpty && configuration.routes.allSatisfy { $0.host != nil }
    }

    /// A copy of the table with its own routes. Matches and permits hold their route: with one table per thread, threads do not count
    /// references to the same objects.
    package func copy() -> RouteTable {
        var copy = self
        copy.routes = routes.map { Route($0) }
        copy.implicit = Route(implicit)
        return copy
    }

    /// Checks the path and finds its route: the first in file order that matches method, host and path.
    ///
    /// `path` is the request target up to `?`, as received and as forwarded; `host` is the authority including the
    /// port. `scratch` is the caller's working space, used only for paths with escapes.
    package func resolve(
        method: RawSpan, host: RawSpan, path: RawSpan, scratch: inout [UInt8]
    ) -> RouteResolution {
        let findings = RequestPath.findings(of: path)
        // A path that no policy accepts is ambiguous: two programs would match different paths.
        if let refusal = findings.refusal(under: .encoded) { return .refused(refusal) }
        guard findings.contains(.hasEscapes) else {
            return resolve(method: method, host: host, path: path, canonicalPath: path, findings: findings)
        }
        scratch.removeAll(keepingCapacity: true)
        RequestPath.appendCanonical(path, to: &scratch)
        return resolve(method: method, host: host, path: path, canonicalPath: scratch.span.bytes, findings: findings)
    }

    private func resolve(
        method: RawSpan, host: RawSpan, path received: RawSpan,
        canonicalPath path: RawSpan, findings: PathFindings
    ) -> RouteResolution {
        if isOwn(path) {
            if let refusal = findings.refusal(under: .strict) { return .refused(refusal) }
            return .own(path: String(decoding: path.extracting(droppingFirst: pathPrefix.count)))
        }
        let name = matcher.usesHosts ? HostPattern.name(of: host) : host
        let route: Route
        if let index = matcher.firstMatch(method: method, hostName: name, canonicalPath: path) {
            route = routes[index]
        } else if everyRouteNamesAHost, !matcher.knows(hostName: name) {
            return .unknownHost
        } else {
            route = implicit
        }
        if let refusal = findings.refusal(under: route.pathStrictness) { return .refused(refusal) }
        guard let rewriting = route.rewriting else { return .matched(RouteMatch(route: route, forwardedPath: nil)) }
        var forwarded: [UInt8] = []
        if let refusal = rewriting.rewrite(received, route.pathStrictness, into: &forwarded) { return .refused(refusal) }
        return .matched(RouteMatch(route: route, forwardedPath: forwarded))
    }

    /// Always case-sensitive: the gateway's own pages have a single spelling.
    private func isOwn(_ path: RawSpan) -> Bool {
        guard path.byteCount >= pathPrefix.count, !pathPrefix.isEmpty else { return false }
        for index in pathPrefix.indices where path[index] != pathPrefix[index] { return false }
        return path.byteCount == pathPrefix.count || path[pathPrefix.count] == UInt8(ascii: "/")
    }
}
