import Primitives
import Access
import Config
import Diagnostics

extension RuleName {
    static let hostWithoutSignIn = RuleName("host-without-sign-in")
}

extension Rule {
    static let hostWithoutSignIn = Rule(
        .hostWithoutSignIn, what: "A route requires sign-in on a host that the session cookie does not reach.",
        why:
            "Users sign in at `publicURL`. Browsers send the session cookie to another host only if the host is below `session.cookie.domain`. On any other host, users appear signed out.",
        instead:
            "Set `session.cookie.domain` to a domain that covers both `publicURL` and the host. For a host on another domain, run a separate gateway, make the route public, or accept bearer tokens.",
        bad: Example(
            """
            routes:
              - host: «admin.example.com»
                path: /**
                access: { groups: [admins] }
            """),
        good: Example(
            """
            session:
              keys: ["${file:./session.key}"]
              cookie: { domain: example.com }
            routes:
              - host: admin.example.com
                path: /**
                access: { groups: [admins] }
            """),
        check: { context in
            guard let reach = CookieReach(context), context.hasEnabledProvider else { return [] }
            let findings = context.routes.compactMap { route -> (route: LintContext.Route, finding: Diagnostic)? in
                guard route.isReadable, asksForSignIn(route, context.configuration), let item = route.object["host"],
                    let text = route.configuration.host, let host = try? HostPattern(text), !reach.reaches(host)
                else { return nil }
                let finding = Diagnostic(
                    .hostWithoutSignIn, at: item.referenceSpan, "no session cookie reaches this host, so no user can sign in",
                    label: reach.domain.map { "not below `\($0)`" } ?? "not the host of `publicURL`",
                    help: reach.commonDomain(with: host).map { "set `session.cookie.domain: \($0)`" }
                        ?? "make the route public, accept bearer tokens, or run a separate gateway for this host",
                    related: context.server?["publicURL"].map { [RelatedPlace("users sign in here", at: $0.span)] } ?? [])
                return (route, finding)
            }
            guard !findings.isEmpty else { return [] }
            // A route that no request reaches is reported as `unreachable-route`.
            let unreachable = Set(RouteReach.shadowed(context).map { ObjectIdentifier($0.route) })
            return findings.filter { !unreachable.contains(ObjectIdentifier($0.route)) }.map(\.finding)
        })

    /// Returns whether a request needs a session cookie to pass. Bearer tokens need no cookie.
    private static func asksForSignIn(_ route: LintContext.Route, _ configuration: Configuration) -> Bool {
        if case .public = route.access { return false }
        return configuration.bearer(of: route.configuration) == nil
    }
}

/// The hosts that receive the session cookie.
private struct CookieReach {
    let publicHost: String
    let domain: String?

    /// Nil without a public URL, or if the cookie domain has its own finding.
    init?(_ context: LintContext) {
        guard let host = context.configuration.server.publicURL?.host else { return nil }
        publicHost = host
        domain = context.configuration.session.cookieDomain
        if let session = context.root["session"], session.object == nil { return nil }
        guard let cookie = context.session?["cookie"] else { return }
        guard let object = cookie.object, object.has("domain") || object.isPlainlyMissing("domain"),
            !(object["domain"]?.isUnreadable ?? false), domain.map({ Self.covers($0, host) }) ?? true
        else { return nil }
    }

    /// Returns whether the cookie reaches at least one host of a pattern.
    func reaches(_ host: HostPattern) -> Bool {
        switch host {
        case .exact(let bytes):
            let name = String(decoding: bytes, as: UTF8.self)
            return name == publicHost || (domain.map { Self.covers($0, name) } ?? false)
        case .suffix(let bytes):
            let suffix = String(decoding: bytes, as: UTF8.self)
            return publicHost.hasSuffix(suffix) || (domain.map { ("." + $0).hasSuffix(suffix) || suffix.hasSuffix("." + $0) } ?? false)
        }
    }

    /// The narrowest domain that covers the public host and a host of the pattern; nil for hosts on different sites.
    func commonDomain(with host: HostPattern) -> String? {
        let other =
            switch host {
            case .exact(let bytes): String(decoding: bytes, as: UTF8.self)
            case .suffix(let bytes): String(decoding: bytes.dropFirst(), as: UTF8.self)
            }
        let site = Sites.registrable(publicHost)
        guard site != publicHost || site.contains("."), Self.covers(site, other), NetworkAddress(publicHost) == nil else { return nil }
        let labels = zip(publicHost.split(separator: ".").reversed(), other.split(separator: ".").reversed()).prefix { $0 == $1 }
        return labels.reversed().map { String($0.0) }.joined(separator: ".")
    }

    private static func covers(_ domain: String, _ host: String) -> Bool { host == domain || host.hasSuffix("." + domain) }
}
