/// The names, attributes and pieces of the session cookie.
///
/// One piece is named as the cookie is, several are `name.0`, `name.1` and so on: at most five, each a line of at
/// most 4096 bytes. Their integrity as a whole is the seal's.
///
/// A class: each look at a cookie's name would copy the struct.
package final class SessionCookies: Sendable {
    /// The configured name, `session`.
    package let baseName: String
    /// The cookie's full name: `__Host-session` on https, `__Secure-session` there with a domain, `session` on http.
    package let effectiveName: String
    let secure: Bool
    let domain: String?
    let sameSite: CookieAttributes.SameSite
    let effectiveNameBytes: [UInt8]
    let baseNameBytes: [UInt8]
    /// Whether the name without a prefix counts as ours.
    let claimsPlainName: Bool
    /// The cookies beside the session's.
    package let host: HostCookies
    /// What their names begin with, where the session's name begins differently; nil otherwise.
    let hostNameBytes: [UInt8]?

    static let maximumPieces = 5
    /// Name, value and attributes of one cookie together. RFC 6265bis counts name and value only; some browsers
    /// count the line.
    static let maximumLineBytes = 4096
    static let maximumTotalBytes = maximumPieces * maximumLineBytes

    /// `secure`: whether `publicURL` is https. `name` is a token without prefix.
    ///
    /// `claimsPlainName`: on https as well, cookies that bear the configured name without a prefix count as ours.
    /// An app behind the gateway can then not have a cookie of that name.
    package init(
        publicURL secure: Bool, name: String = "session", domain: String? = nil, sameSite: CookieAttributes.SameSite = .lax,
        claimsPlainName: Bool = true
    ) {
        precondition(CookieAttributes.isName(name), "not a cookie name")
        baseName = name
        self.secure = secure
        self.domain = domain
        self.sameSite = sameSite
        let prefix = secure ? (domain == nil ? "__Host-" : "__Secure-") : ""
        effectiveName = prefix + name
        effectiveNameBytes = Array(effectiveName.utf8)
        baseNameBytes = Array(name.utf8)
        host = HostCookies(name: name, secure: secure, sameSite: sameSite)
        hostNameBytes = host.baseName == effectiveName ? nil : Array(host.baseName.utf8)
        self.claimsPlainName = claimsPlainName || !secure
    }

    /// The session's cookie, or a piece of it.
    func cookie(named name: String, value: String) -> CookieAttributes {
        CookieAttributes(name: name, value: value, sameSite: sameSite, secure: secure, httpOnly: true, path: "/", domain: domain)
    }

    func pieceName(_ index: Int) -> String { "\(effectiveName).\(index)" }
}
