/// Scheme, host and port of a URL (RFC 6454 section 4).
///
/// A value beside `AbsoluteURL`, because trust is given to origins: they are compared with each other and kept in sets, with the default
/// port written out. `AbsoluteURL.origin` makes it; only a host of the site is put into another origin by hand.
package struct Origin: Sendable, Hashable {
    /// `http` or `https`.
    package var scheme: String
    /// Lower case; an IPv6 address in brackets.
    package var host: String
    /// The port, including the scheme's default.
    package var port: Int

    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin as browsers write it, without a default port (RFC 6454 section 6.2).
    package var text: String {
        let standard = scheme == "https" ? 443 : 80
        return port == standard ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    package var isSecure: Bool { scheme == "https" }
}
