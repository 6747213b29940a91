import Access
import Config
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
    /// What the routes lead to, by `Route.upstreamIndex`.
    let upstreams: [UpstreamDefinition]
    let identity: IdentityHeaders
    /// nil: no assertion is sent.
    let assertion: IdentityAssertion?
    let requestWriter: RequestWriter
    let cookieNames: GatewayCookieNames
    let cookies: SessionCookies
    let seal: SessionSeal
    let limits: SessionLimits
    let authenticator: SessionAuthenticator
    let returnPaths: ReturnPathValidator
    let trustedProxies: CIDRSet
    /// Enabled providers in file order.
    let providers: [ProviderSettings]
    /// Seals what a sign-out takes along through the provider.
    let logoutRing: SealingKeyRing
    let sessionKeys: [[UInt8]]
    let contents: SessionContents
    /// By a route's index; nil for a route that only forwards.
    let features: [RouteFeatures?]
    /// Some route has `cors`.
    let hasCrossOrigin: Bool
    /// Ours alone, for routes without features.
    let ownOrigins: RequestOrigin

    /// Reads the files that the configuration names. Throws only for what `validate` reports as an error.
    init(_ configuration: Configuration) throws {
        self.configuration = configuration
        publicURL = configuration.server.publicURL
        site = PageSite(
            name: configuration.pages.siteName ?? configuration.server.publicURL?.host ?? "this site",
            pathPrefix: configuration.server.pathPrefix,
            templates: configuration.pages.templates.isEmpty ? nil : try PageTemplates(configuration.pages))
        routes = try RouteTable(configuration)
        upstreams = try UpstreamDefinition.all(of: routes.upstreams)
        identity = try IdentityHeaders(
            configuration.identity,
            additional: configuration.tokenHeaderNames + [configuration.identity.assertion.header]
                + BearerRequest.strippedNames(configuration))
        assertion = try IdentityAssertion(configuration.identity.assertion, issuer: configuration.server.publicURL?.text ?? "")
        let stripped = identity.strippedFromUntrusted
        features = try zip(configuration.routes + [RouteConfiguration()], routes.routes + [routes.implicit]).map { route, compiled in
            try RouteFeatures.of(route, compiled, in: configuration, stripped: stripped)
        }
        hasCrossOrigin = features.contains { $0?.crossOrigin != nil }
        ownOrigins = RequestOrigin(trusted: configuration.server.publicURL.map { [$0.text] } ?? [])
        contents = SessionContents(configuration, identity, features.compactMap { $0?.requestLines })
        cookies = SessionCookies(
            publicURL: configuration.server.publicURL?.isSecure ?? false, name: configuration.session.cookieName,
            domain: configuration.session.cookieDomain, sameSite: CookieAttributes.SameSite(configuration.session.sameSite),
            claimsPlainName: false)
        let cookies = self.cookies
        cookieNames = GatewayCookieNames { cookies.isOurs($0) }
        requestWriter = RequestWriter(
            strippedAlways: identity.strippedFromTrusted, strippedFromUntrusted: identity.strippedFromUntrusted, cookies: cookieNames)
        // Without configured keys the process makes one; `validate` warns that sessions then end with it.
        sessionKeys = configuration.session.keys.isEmpty ? [SecureRandom.bytes(32)] : configuration.session.keys
        seal = SessionSeal(keys: sessionKeys, cookieName: cookies.effectiveName)
        logoutRing = SealingKeyRing(keys: sessionKeys, purpose: "logout")
        limits = SessionLimits(idle: configuration.session.idleTimeout, absolute: configuration.session.absoluteTimeout)
        authenticator = SessionAuthenticator(cookies: cookies, seal: seal, limits: limits)
        returnPaths = ReturnPathValidator(configuration.server)
        trustedProxies = CIDRSet(configuration.server.trustedProxies) ?? CIDRSet()
        providers = configuration.providerSettings
    }

    /// The browser reaches us over https.
    var isSecure: Bool { publicURL?.isSecure ?? false }
    var pathPrefix: String { configuration.server.pathPrefix }

    /// `{publicURL}{pathPrefix}{path}`.
    func ownURL(_ path: String) -> String { (publicURL?.text ?? "") + pathPrefix + path }
}

extension PageTemplates {
    init(_ pages: PagesConfiguration) throws(Problem) {
        try self.init(pages: pages.templates, partials: pages.partials) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
    }
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
