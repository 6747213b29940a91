package import Primitives
package import Access
package import Config
import HTTPWire
package import NIOCore
package import Sessions

/// What a configuration decides with at one public URL: compiled once, immutable.
package final class Site: Sendable {
    /// nil while none is configured.
    package let publicURL: Origin?
    package let pathPrefix: String
    package let routes: RouteTable
    /// By a route's index, the implicit one last; nil for a route that only forwards.
    package let features: [RouteFeatures?]
    /// The rules as they are configured, by a route's index, for explanations.
    package let rules: [AccessRule]
    package let identity: IdentityHeaders
    /// nil: no assertion is sent.
    package let assertion: IdentityAssertion?
    package let headWriter: RequestHeadWriter
    package let cookies: SessionCookies
    package let cookieNames: GatewayCookieNames
    package let limits: SiteLimits
    package let trustedProxies: CIDRSet
    /// The proxies that may ask for decisions.
    package let askers: CIDRSet
    /// The complete line of `Strict-Transport-Security` on every response; nil: not sent.
    package let hstsLine: ByteBuffer?

    /// Throws only for what `validate` reports as an error.
    package init(_ configuration: Configuration, cookies: SessionCookies, hsts: String?) throws {
        publicURL = configuration.server.publicURL
        pathPrefix = configuration.server.pathPrefix
        routes = try RouteTable(configuration)
        identity = try IdentityHeaders(
            configuration.identity,
            additional: configuration.tokenHeaderNames + [configuration.identity.assertion.header]
                + BearerRequest.strippedNames(configuration))
        assertion = try IdentityAssertion(configuration.identity.assertion, issuer: configuration.server.publicURL?.text ?? "")
        hstsLine = hsts.map { ByteBuffer(string: "strict-transport-security: \($0)\r\n") }
        let stripped = identity.strippedFromUntrusted
        features = try zip(configuration.routes + [RouteConfiguration()], routes.routes + [routes.implicit]).map { route, compiled in
            try RouteFeatures.of(route, compiled, in: configuration, stripped: stripped)
        }
        rules = configuration.routes.map(\.access) + [.authenticated]
        self.cookies = cookies
        cookieNames = GatewayCookieNames { cookies.isOurs($0) }
        headWriter = RequestHeadWriter(
            strippedAlways: identity.strippedFromTrusted, strippedFromUntrusted: identity.strippedFromUntrusted, cookies: cookieNames,
            assertion: assertion)
        limits = SiteLimits(
            session: SessionLimits(
                idle: configuration.session.idleTimeout, absolute: configuration.session.absoluteTimeout,
                admitsTokens: configuration.admitsTokens),
            refreshesTokens: configuration.session.refresh, bodyBytes: configuration.server.limits.bodyBytes)
        trustedProxies = CIDRSet(configuration.server.trustedProxies) ?? CIDRSet()
        askers = configuration.authorization.flatMap { CIDRSet($0.peers) } ?? CIDRSet()
    }
}

/// The limits of a site's sessions and requests.
package struct SiteLimits: Sendable {
    package let session: SessionLimits
    /// Sessions are refreshed before their access token ends.
    package let refreshesTokens: Bool
    /// Bytes of a request body; nil: as many as come.
    package let bodyBytes: Int?
}
