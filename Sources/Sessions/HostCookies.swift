/// The one policy for the cookies beside the session's: those of sign-ins in progress, of what the user is asked, and of this browser.
///
/// They are host-only: no other host can read them, and with the prefix `__Host-`, which https allows, none can set them either (RFC 6265bis
/// section 4.1.3). `session.cookie.domain` is for the session alone: a sibling host that could set the others would put its own sign-in,
/// identity or challenge into a user's browser.
package struct HostCookies: Sendable {
    private static let prefix = "__Host-"

    /// The name that the names of these cookies begin with: that of the session's cookie, with the prefix on https.
    package let baseName: String
    private let secure: Bool
    private let sameSite: CookieAttributes.SameSite

    /// `name`: of the session's cookie, without a prefix. `secure`: whether `publicURL` is https.
    package init(name: String, secure: Bool, sameSite: CookieAttributes.SameSite = .lax) {
        baseName = (secure ? Self.prefix : "") + name
        self.secure = secure
        self.sameSite = sameSite
    }

    /// The cookie with the sign-ins in progress, one each; the rest of the name tells them apart.
    package var loginPrefix: String { baseName + "-login-" }

    /// The cookie that remembers with which provider this browser signed in last. It says nothing about the user.
    package var lastProvider: String { baseName + "-provider" }

    /// The cookie with an identity or a merge that waits for a sign-in.
    package var pending: String { baseName + "-pending" }

    /// The cookies with a sign-in that waits for its second factor, in order.
    package func factor(_ index: Int) -> String { baseName + "-factor" + (index == 0 ? "" : ".\(index)") }

    /// The cookie with the challenge of a sign-in with a passkey.
    package var passkey: String { baseName + "-passkey" }

    /// The cookie of a browser that is not asked for a second factor again.
    package var browser: String { baseName + "-browser" }

    /// Whether the cookie belongs to a sign-in that waits: for a second factor, for the answer to a question, or for a passkey.
    package func isWaiting(_ name: String) -> Bool {
        if [pending, passkey, factor(0)].contains(name) { return true }
        let piece = factor(0) + "."
        return name.hasPrefix(piece)
            && name.utf8.dropFirst(piece.utf8.count).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A cookie under one of these names. `sameSite`: nil for that of the session's cookie. `SameSite=None` needs `Secure`.
    package func cookie(
        named name: String, value: String, maxAge: Int64, sameSite: CookieAttributes.SameSite? = nil
    ) -> CookieAttributes {
        let sameSite = sameSite ?? self.sameSite
        return CookieAttributes(
            name: name, value: value, maxAge: maxAge, sameSite: sameSite, secure: secure || sameSite == CookieAttributes.SameSite.none)
    }

    /// The `Set-Cookie` line that deletes a cookie of these names.
    package func deletion(named name: String) -> String { cookie(named: name, value: "", maxAge: 0).headerValue() }
}
