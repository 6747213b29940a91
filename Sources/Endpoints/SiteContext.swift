package import Access
package import Config
package import Decisions
package import Pages
package import Primitives
package import Providers
package import Sessions

/// What a configuration compiles to at one public URL, for decisions and for the gateway's own answers. Immutable.
package final class SiteContext: Sendable {
    package let configuration: Configuration
    /// What decides about its requests.
    package let decisions: Site
    /// What pages show of it.
    package let pageSite: PageSite
    /// Hosts besides `publicURL`'s that share its sign-in.
    package let hosts: SiteHosts
    package let returnPaths: ReturnPathValidator
    /// Enabled providers in file order.
    package let providers: [ProviderSettings]
    /// The values of `acr` that access rules ask for.
    let contextClasses: Set<String>
    /// The value of `Strict-Transport-Security` on every response; nil: not sent.
    package let hsts: String?

    /// Throws only for what `validate` reports as an error.
    package init(_ configuration: Configuration) throws {
        self.configuration = configuration
        pageSite = PageSite(
            name: configuration.pages.siteName ?? configuration.server.publicURL?.host ?? "this site",
            pathPrefix: configuration.server.pathPrefix, brand: try PageBrand(configuration.pages),
            templates: configuration.pages.templates.isEmpty ? nil : try PageTemplates(configuration.pages),
            formTargets: Self.formTargets(configuration))
        hsts = Self.hsts(configuration.server)
        let cookies = SessionCookies(
            publicURL: configuration.server.publicURL?.isSecure ?? false, name: configuration.session.cookieName,
            domain: configuration.session.cookieDomain, sameSite: CookieAttributes.SameSite(configuration.session.sameSite),
            claimsPlainName: false)
        decisions = try Site(configuration, cookies: cookies, hsts: hsts)
        hosts = SiteHosts(configuration)
        returnPaths = ReturnPathValidator(configuration)
        providers = configuration.providerSettings
        contextClasses = configuration.routes.reduce(into: []) { $0.formUnion($1.access.contextClasses) }
    }

    /// The origins that a form of a page may lead to through redirects: other origins for `rd`, the redirects of routes, and the providers that
    /// a route or a change of the account may ask.
    private static func formTargets(_ configuration: Configuration) -> [String] {
        let redirects = configuration.routes.compactMap { $0.routing.redirect.flatMap { LinkTarget.origin(of: $0.to) } }
        let providers = configuration.providerSettings.compactMap { settings in
            (settings.endpoints.authorization ?? settings.issuer).flatMap(LinkTarget.origin)
        }
        var known: Set<String> = []
        return (configuration.server.allowedRedirects.map(\.text) + redirects + providers).filter { known.insert($0).inserted }
    }

    package var publicURL: Origin? { decisions.publicURL }
    package var pathPrefix: String { decisions.pathPrefix }
    package var cookies: SessionCookies { decisions.cookies }
    package var limits: SessionLimits { decisions.limits.session }

    /// The browser reaches us over https.
    package var isSecure: Bool { publicURL?.isSecure ?? false }

    /// `{publicURL}{pathPrefix}{path}`.
    func ownURL(_ path: String) -> String { (publicURL?.text ?? "") + pathPrefix + path }

    /// Only for an https site, and never for a loopback name: it would hold for every port of it, and so for everything that a
    /// developer runs on this machine.
    private static func hsts(_ server: ServerConfiguration) -> String? {
        guard let publicURL = server.publicURL, publicURL.isSecure, publicURL.host != "localhost", !publicURL.host.hasSuffix(".localhost")
        else { return nil }
        return server.hsts.value
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
