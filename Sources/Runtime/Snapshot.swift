import Primitives
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
import Telemetry
import TokenCrypto

/// Everything that one configuration compiles to. Immutable: a request uses one snapshot from its start to its end.
struct Snapshot: Sendable {
    let configuration: Configuration
    /// What decides about requests, by public URL: one entry today.
    let sites: [Site]
    /// What pages show of the site.
    let pageSite: PageSite
    /// The upstreams of the routes, by `Route.upstreamIndex`.
    let upstreams: [UpstreamDefinition]
    let upstreamFingerprints: [[UInt8]]
    let seal: SessionSeal
    /// Hosts besides `publicURL`'s that share its sign-in.
    let siteHosts: SiteHosts
    let returnPaths: ReturnPathValidator
    /// Enabled providers in file order.
    let providers: [ProviderSettings]
    /// Seals what a sign-out takes along through the provider.
    let logoutRing: SealingKeyRing
    let sessionKeys: [[UInt8]]
    let contents: SessionContents
    /// The value of `Strict-Transport-Security` on every response; nil: not sent.
    let hsts: String?
    /// Unix milliseconds: when the process compiled its first configuration.
    let startedAt: Int64

    /// Reads the files that the configuration names. Throws only for what `validate` reports as an error. `earlier`: the snapshot that
    /// is served now; a session key that the process made for itself goes on, and so do unchanged upstreams.
    init(_ configuration: Configuration, continuing earlier: Snapshot? = nil) throws {
        self.configuration = configuration
        pageSite = PageSite(
            name: configuration.pages.siteName ?? configuration.server.publicURL?.host ?? "this site",
            pathPrefix: configuration.server.pathPrefix, brand: try PageBrand(configuration.pages),
            templates: configuration.pages.templates.isEmpty ? nil : try PageTemplates(configuration.pages))
        hsts = Self.hsts(configuration.server)
        let cookies = SessionCookies(
            publicURL: configuration.server.publicURL?.isSecure ?? false, name: configuration.session.cookieName,
            domain: configuration.session.cookieDomain, sameSite: CookieAttributes.SameSite(configuration.session.sameSite),
            claimsPlainName: false)
        let site = try Site(configuration, cookies: cookies, hsts: hsts)
        sites = [site]
        upstreamFingerprints = site.routes.upstreams.map(UpstreamDefinition.fingerprint)
        upstreams = UpstreamDefinition.continuing(
            earlier, with: try UpstreamDefinition.all(of: site.routes.upstreams), fingerprints: upstreamFingerprints)
        contents = SessionContents(configuration, site.identity, site.features.compactMap { $0?.requestLines })
        // Without configured keys the process makes one; `validate` warns that sessions then end with it.
        if !configuration.session.keys.isEmpty {
            sessionKeys = configuration.session.keys
        } else if let earlier, earlier.configuration.session.keys.isEmpty {
            sessionKeys = earlier.sessionKeys
        } else {
            sessionKeys = [SecureRandom.bytes(32)]
        }
        startedAt = earlier?.startedAt ?? wallClock()
        seal = SessionSeal(
            keys: sessionKeys, cookieName: cookies.effectiveName, publicURL: configuration.server.publicURL?.text ?? "",
            legacy: SessionSeal.Legacy(startedAt: startedAt, limits: site.limits.session))
        logoutRing = SealingKeyRing(keys: sessionKeys, purpose: "logout")
        siteHosts = SiteHosts(configuration)
        returnPaths = ReturnPathValidator(configuration)
        providers = configuration.providerSettings
    }

    /// The only site.
    var site: Site { sites[0] }
    var publicURL: Origin? { site.publicURL }
    var routes: RouteTable { site.routes }
    var identity: IdentityHeaders { site.identity }
    var cookies: SessionCookies { site.cookies }
    var limits: SessionLimits { site.limits.session }
    var trustedProxies: CIDRSet { site.trustedProxies }

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
