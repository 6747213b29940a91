package import Primitives
package import Config

/// The hosts that share the sign-in of the public URL: those below the cookie domain (contract section 6, "Several hosts").
///
/// They use the public URL's scheme and port.
package struct SiteHosts: Sendable {
    /// A host of the site other than the public URL's.
    package struct Sibling: Sendable, Hashable {
        package let origin: Origin
        /// True if a route names the host, directly or with a wildcard.
        package let isNamed: Bool
    }

    private let publicURL: Origin?
    /// The cookie domain in lower case with a leading dot; nil if the cookie is limited to the public URL's host.
    private let domainSuffix: String?
    /// Lower case.
    private let names: Set<String>
    /// The parts after `*` of wildcards, in lower case, each with a leading dot.
    private let suffixes: Set<String>

    package init(publicURL: Origin?, cookieDomain: String?, routeHosts: [String]) {
        self.publicURL = publicURL
        domainSuffix = cookieDomain.map { ".\($0.lowercased())" }
        var names: Set<String> = []
        var suffixes: Set<String> = []
        for host in routeHosts {
            switch try? HostPattern(host) {
            case .exact(let name): names.insert(String(decoding: name, as: UTF8.self))
            case .suffix(let suffix): suffixes.insert(String(decoding: suffix, as: UTF8.self))
            case nil: continue
            }
        }
        self.names = names
        self.suffixes = suffixes
    }

    package init(_ configuration: Configuration) {
        self.init(
            publicURL: configuration.server.publicURL, cookieDomain: configuration.session.cookieDomain,
            routeHosts: configuration.routes.compactMap(\.host))
    }

    /// No hosts besides the public URL's.
    package static let none = SiteHosts(publicURL: nil, cookieDomain: nil, routeHosts: [])

    /// The sibling host that a request's authority names; nil for the public URL's host, and for hosts that the session cookie does not
    /// reach.
    package func sibling(of authority: String) -> Sibling? {
        guard let publicURL, domainSuffix != nil else { return nil }
        let name = authority.lowercased()
        let host = String(decoding: HostPattern.name(of: name.utf8.span.bytes))
        guard host != publicURL.host, isInDomain(host) else { return nil }
        return Sibling(origin: Origin(scheme: publicURL.scheme, host: host, port: publicURL.port), isNamed: isNamed(host))
    }

    /// Returns whether browsers may be redirected to this origin: a route names its host, and the session cookie reaches it.
    func includes(_ origin: Origin) -> Bool {
        guard let publicURL, origin.scheme == publicURL.scheme, origin.port == publicURL.port else { return false }
        return isInDomain(origin.host) && isNamed(origin.host)
    }

    private func isInDomain(_ host: String) -> Bool {
        guard let domainSuffix, host.utf8.allSatisfy(Self.isNameByte) else { return false }
        return host.hasSuffix(domainSuffix) && host.utf8.count > domainSuffix.utf8.count || host == domainSuffix.dropFirst()
    }

    private func isNamed(_ host: String) -> Bool {
        if names.contains(host) { return true }
        guard !suffixes.isEmpty else { return false }
        return host.indices.contains { $0 > host.startIndex && host[$0] == "." && suffixes.contains(String(host[$0...])) }
    }

    /// Returns whether a host in a `Location` may contain the byte.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
