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
        self.claimsPlainName = claimsPlainName || !secure
    }

    /// The name of the cookie that carries one login on its way: `__Host-session-login-` and what tells it from the others.
    package func loginCookieName(_ suffix: String) -> String { "\(effectiveName)-login-\(suffix)" }

    /// The name of the cookie that remembers with which provider this browser signed in last. It says nothing about the user.
    package var lastProviderCookieName: String { "\(effectiveName)-provider" }

    /// The name of the cookie with the work that waits for the next sign-in in this browser.
    package var pendingCookieName: String { "\(effectiveName)-pending" }

    /// The names of the cookies with a sign-in that waits for its second factor, in order.
    package func factorCookieName(_ index: Int) -> String { effectiveName + "-factor" + (index == 0 ? "" : ".\(index)") }

    /// The name of the cookie with the challenge of a sign-in with a passkey.
    package var passkeyCookieName: String { "\(effectiveName)-passkey" }

    /// The name of the cookie of a browser that is not asked for a second factor again.
    package var browserCookieName: String { "\(effectiveName)-browser" }

    /// A cookie with this gateway's attributes, under one of its names.
    package func cookie(
        named name: String, value: String, maxAge: Int64? = nil, sameSite: CookieAttributes.SameSite? = nil
    ) -> CookieAttributes {
        CookieAttributes(
            name: name, value: value, maxAge: maxAge, sameSite: sameSite ?? self.sameSite, secure: secure, httpOnly: true, path: "/",
            domain: domain)
    }

    func pieceName(_ index: Int) -> String { "\(effectiveName).\(index)" }
}
