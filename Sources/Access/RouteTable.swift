package import Config
package import HTTPWire

/// The route that a request falls to. Made only by `RouteTable.resolve`, from a path that was not refused.
package struct RouteMatch: Sendable {
    package let route: Route
    /// What the upstream sees instead of the request's path, where the route rewrites it: judged like a path that came.
    package let forwardedPath: [UInt8]?

    fileprivate init(route: Route, forwardedPath: [UInt8]?) {
        self.route = route
        self.forwardedPath = forwardedPath
    }
}

/// Where a request goes before anybody asks who sent it.
package enum RouteResolution: Sendable {
    case matched(RouteMatch)
    /// One of the gateway's own endpoints; `path` is what follows the prefix in canonical form, `/login`, or empty.
    case own(path: String)
    /// Answered 400.
    case refused(PathRefusal)
    /// Every route names a host and this is none of them: answered 421 (RFC 9110 section 7.4).
    case unknownHost
}

/// All routes, compiled. `resolve` allocates nothing unless an own endpoint is asked for.
package struct RouteTable: Sendable {
    package private(set) var routes: [Route]
    /// Takes what no route matches: the upstream, for anyone who is signed in.
    package private(set) var implicit: Route
    /// Every upstream once.
    package let upstreams: [UpstreamConfiguration]
    private let matcher: RouteMatcher
    private let pathPrefix: [UInt8]
    private let everyRouteNamesAHost: Bool

    /// Throws for a pattern that cannot be compiled, which a validated configuration does not have.
    /// So does a rewriting that does not fit its route.
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
        configuration.server.pathPrefix.withBytes { RequestPath.appendCanonical($0, to: &prefix) }
        pathPrefix = prefix
        everyRouteNamesAHost = !routes.isEmpty && configuration.routes.allSatisfy { $0.host != nil }
    }

    /// The same table with routes of its own. A match and a permit hold their route: one table for each thread keeps threads from counting
    /// references to the same objects.
    package func copy() -> RouteTable {
        var copy = self
        copy.routes = routes.map { Route($0) }
        copy.implicit = Route(implicit)
        return copy
    }

    /// Checks the path, then finds its route: the first in file order that matches method, host and path.
    ///
    /// `path` is the request target up to `?`, as it came and as it will be forwarded; `host` the authority, port and
    /// all. `scratch` is working space that the caller keeps; it is touched only for a path with escapes.
    package func resolve(
        method: UnsafeRawBufferPointer, host: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer, scratch: inout [UInt8]
    ) -> RouteResolution {
        let findings = RequestPath.findings(of: path)
        // What no policy lets through cannot be matched either: two programs would match two paths.
        if let refusal = findings.refusal(under: .encoded) { return .refused(refusal) }
        guard findings.contains(.hasEscapes) else {
            return resolve(method: method, host: host, path: path, canonicalPath: path, findings: findings)
        }
        scratch.removeAll(keepingCapacity: true)
        RequestPath.appendCanonical(path, to: &scratch)
        return scratch.withUnsafeBytes { resolve(method: method, host: host, path: path, canonicalPath: $0, findings: findings) }
    }

    private func resolve(
        method: UnsafeRawBufferPointer, host: UnsafeRawBufferPointer, path received: UnsafeRawBufferPointer,
        canonicalPath path: UnsafeRawBufferPointer, findings: PathFindings
    ) -> RouteResolution {
        if isOwn(path) {
            if let refusal = findings.refusal(under: .strict) { return .refused(refusal) }
            return .own(path: String(decoding: path[pathPrefix.count...], as: UTF8.self))
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

    /// Always case-sensitive: the gateway's own pages have one spelling.
    private func isOwn(_ path: UnsafeRawBufferPointer) -> Bool {
        guard path.count >= pathPrefix.count, !pathPrefix.isEmpty else { return false }
        for index in pathPrefix.indices where path[index] != pathPrefix[index] { return false }
        return path.count == pathPrefix.count || path[pathPrefix.count] == UInt8(ascii: "/")
    }
}
