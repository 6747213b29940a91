import Primitives
import Access
import Config
import Decisions
import Endpoints
import HTTPWire
import Providers
import Proxy
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// Everything that one configuration compiles to. Immutable: a request uses one snapshot from its start to its end.
struct Snapshot: Sendable {
    let configuration: Configuration
    /// What decides about requests and answers them, by public URL: one entry today.
    let sites: [SiteContext]
    /// The upstreams of the routes, by `Route.upstreamIndex`.
    let upstreams: [UpstreamDefinition]
    let upstreamFingerprints: [[UInt8]]
    let seal: SessionSeal
    /// Seals what a sign-out takes along through the provider.
    let logoutRing: SealingKeyRing
    let sessionKeys: [[UInt8]]
    let contents: SessionContents
    /// Unix milliseconds: when the process compiled its first configuration.
    let startedAt: Int64

    /// Reads the files that the configuration names. Throws only for what `validate` reports as an error. `earlier`: the snapshot that
    /// is served now; a session key that the process made for itself goes on, and so do unchanged upstreams.
    init(_ configuration: Configuration, continuing earlier: Snapshot? = nil) throws {
        self.configuration = configuration
        let context = try SiteContext(configuration)
        sites = [context]
        let site = context.decisions
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
            keys: sessionKeys, cookieName: site.cookies.effectiveName, publicURL: configuration.server.publicURL?.text ?? "",
            legacy: SessionSeal.Legacy(startedAt: startedAt, limits: site.limits.session))
        logoutRing = SealingKeyRing(keys: sessionKeys, purpose: "logout")
    }

    /// The only site.
    var context: SiteContext { sites[0] }
    var site: Site { context.decisions }
    /// Enabled providers in file order.
    var providers: [ProviderSettings] { context.providers }
    var publicURL: Origin? { site.publicURL }
    var routes: RouteTable { site.routes }
    var identity: IdentityHeaders { site.identity }
    var cookies: SessionCookies { site.cookies }
    var limits: SessionLimits { site.limits.session }
    var trustedProxies: CIDRSet { site.trustedProxies }

    /// The browser reaches us over https.
    var isSecure: Bool { context.isSecure }
}
