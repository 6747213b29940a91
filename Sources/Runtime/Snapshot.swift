import Access
import Config
import Decisions
import Exchanges
import HTTPWire
import NIOCore
import Pages
import Providers
import Proxy
import Server
import Sessions
import SignIn
import TokenCrypto

/// Everything that one configuration compiles to. Immutable: a request uses one snapshot from its start to its end.
struct Snapshot: Sendable {
    let configuration: Configuration
    let publicURL: Origin?
    let site: PageSite
    let routes: RouteTable
    /// The upstreams of the routes, by `Route.upstreamIndex`.
    let upstreams: [UpstreamDefinition]
    let upstreamFingerprints: [[UInt8]]
    let identity: IdentityHeaders
    /// nil: no assertion is sent.
    let assertion: IdentityAssertion?
    let requestWriter: RequestHeadWriter
    let cookieNames: GatewayCookieNames
    let cookies: SessionCookies
    let seal: SessionSeal
    let limits: SessionLimits
    /// Hosts besides `publicURL`'s that share its sign-in.
    let siteHosts: SiteHosts
    let returnPaths: ReturnPathValidator
    let trustedProxies: CIDRSet
    /// Enabled providers in file order.
    let providers: [ProviderSettings]
    /// Seals what a sign-out takes along through the provider.
    let logoutRing: SealingKeyRing
    let sessionKeys: [[UInt8]]
    let contents: SessionContents
    /// The value of `Strict-Transport-Security` on every response; nil: not sent.
    let hsts: String?
    let hstsLine: ByteBuffer?
    /// By a route's index; nil for a route that only forwards.
    let features: [RouteFeatures?]
    /// Some route has `cors`.
    let hasCrossOrigin: Bool
    /// Ours alone, for routes without features.
    let ownOrigins: RequestOrigin
    /// Unix milliseconds: when the process compiled its first configuration.
    let startedAt: Int64

    /// Reads the files that the configuration names. Throws only for what `validate` reports as an error. `earlier`: the snapshot that
    /// is served now; a session key that the process made for itself goes on, and so do unchanged upstreams.
    init(_ configuration: Configuration, continuing earlier: Snapshot? = nil) throws {
        self.configuration = configuration
        publicURL = configuration.server.publicURL
        site = PageSite(
            name: configuration.pages.siteName ?? configuration.server.publicURL?.host ?? "this site",
            pathPrefix: configuration.server.pathPrefix, brand: try PageBrand(configuration.pages),
            templates: configuration.pages.templates.isEmpty ? nil : try PageTemplates(configuration.pages))
        routes = try RouteTable(configuration)
        upstreamFingerprints = routes.upstreams.map(UpstreamDefinition.fingerprint)
        upstreams = UpstreamDefinition.continuing(
            earlier, with: try UpstreamDefinition.all(of: routes.upstreams), fingerprints: upstreamFingerprints)
        identity = try IdentityHeaders(
            configuration.identity,
            additional: configuration.tokenHeaderNames + [configuration.identity.assertion.header]
                + BearerRequest.strippedNames(configuration))
        assertion = try IdentityAssertion(configuration.identity.assertion, issuer: configuration.server.publicURL?.text ?? "")
        hsts = Self.hsts(configuration.server)
        hstsLine = hsts.map { ByteBuffer(string: "strict-transport-security: \($0)\r\n") }
        let stripped = identity.strippedFromUntrusted
        features = try zip(configuration.routes + [RouteConfiguration()], routes.routes + [routes.implicit]).map { route, compiled in
            try RouteFeatures.of(route, compiled, in: configuration, stripped: stripped)
        }
        hasCrossOrigin = features.contains { $0?.crossOrigin != nil }
        ownOrigins = RequestOrigin(publicURL: configuration.server.publicURL)
        contents = SessionContents(configuration, identity, features.compactMap { $0?.requestLines })
        cookies = SessionCookies(
            publicURL: configuration.server.publicURL?.isSecure ?? false, name: configuration.session.cookieName,
            domain: configuration.session.cookieDomain, sameSite: CookieAttributes.SameSite(configuration.session.sameSite),
            claimsPlainName: false)
        let cookies = self.cookies
        cookieNames = GatewayCookieNames { cookies.isOurs($0) }
        requestWriter = RequestHeadWriter(
            strippedAlways: identity.strippedFromTrusted, strippedFromUntrusted: identity.strippedFromUntrusted, cookies: cookieNames)
        // Without configured keys the process makes one; `validate` warns that sessions then end with it.
        if !configuration.session.keys.isEmpty {
            sessionKeys = configuration.session.keys
        } else if let earlier, earlier.configuration.session.keys.isEmpty {
            sessionKeys = earlier.sessionKeys
        } else {
            sessionKeys = [SecureRandom.bytes(32)]
        }
        startedAt = earlier?.startedAt ?? wallClock()
        limits = SessionLimits(idle: configuration.session.idleTimeout, absolute: configuration.session.absoluteTimeout)
        seal = SessionSeal(
            keys: sessionKeys, cookieName: cookies.effectiveName, publicURL: configuration.server.publicURL?.text ?? "",
            legacy: SessionSeal.Legacy(startedAt: startedAt, limits: limits))
        logoutRing = SealingKeyRing(keys: sessionKeys, purpose: "logout")
        siteHosts = SiteHosts(configuration)
        returnPaths = ReturnPathValidator(configuration)
        trustedProxies = CIDRSet(configuration.server.trustedProxies) ?? CIDRSet()
        providers = configuration.providerSettings
    }

    /// The browser reaches us over https.
    var isSecure: Bool { publicURL?.isSecure ?? false }

    /// Only for an https site, and never for a loopback name: it would hold for every port of it, and so for everything that a
    /// developer runs on this machine.
    private static func hsts(_ server: ServerConfiguration) -> String? {
        guard let publicURL = server.publicURL, publicURL.isSecure, publicURL.host != "localhost", !publicURL.host.hasSuffix(".localhost")
        else { return nil }
        return server.hsts.value
    }

    var pathPrefix: String { configuration.server.pathPrefix }

    /// `{publicURL}{pathPrefix}{path}`.
    func ownURL(_ path: String) -> String { (publicURL?.text ?? "") + pathPrefix + path }
}

extension CookieAttributes.SameSite {
    init(_ configured: SessionConfiguration.SameSite) {
        switch configured {
        case .lax: self = .lax
        case .strict: self = .strict
        case .none: self = .none
        }
    }
}
