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
    let identity: IdentityHeaders
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

    /// Throws only for what `validate` reports as an error.
    init(_ configuration: Configuration) throws {
        self.configuration = configuration
        publicURL = configuration.server.publicURL
        site = PageSite(name: configuration.server.publicURL?.host ?? "this site", pathPrefix: configuration.server.pathPrefix)
        routes = try RouteTable(configuration)
        identity = try IdentityHeaders(
            configuration.identity, additional: configuration.tokenHeaderNames + BearerRequest.strippedNames(configuration))
        contents = SessionContents(configuration, identity)
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

extension CookieAttributes.SameSite {
    init(_ configured: SessionConfiguration.SameSite) {
        switch configured {
        case .lax: self = .lax
        case .strict: self = .strict
        case .none: self = .none
        }
    }
}

extension UpstreamEndpoint {
    init(_ address: UpstreamAddress) {
        switch address.endpoint {
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }
}
