package import Sessions

/// Names and `Set-Cookie` lines of the transaction cookies: one per sign-in, so that several tabs work.
package struct LoginCookies: Sendable {
    /// The most sign-ins that one browser may have in progress.
    package static let maximum = 8
    private static let maximumDeletions = 20

    private let cookies: HostCookies
    private var prefix: String { self.cookies.loginPrefix }

    package init(_ cookies: HostCookies) { self.cookies = cookies }

    package func name(for id: LoginID) -> String { self.prefix + id.text }

    /// The cookie that a callback's `state` belongs to; nil when the state is none of ours.
    package func name(forState state: String) -> String? { LoginID(state: state).map(self.name(for:)) }

    /// Whether a cookie of this name is ours, well formed or not: such a cookie never reaches the upstream.
    package func owns(_ name: String) -> Bool { name.hasPrefix(self.prefix) }

    /// `SameSite=Lax`: the callback is a top-level GET. A `form_post` callback is a cross-site POST, which needs
    /// `None`, and with it `Secure` (OAuth 2.0 Form Post Response Mode; RFC 6265bis section 4.1.2.7).
    package func line(name: String, value: String, forFormPost: Bool) -> String {
        self.cookies.cookie(
            named: name, value: value, maxAge: LoginTransaction.lifetime / 1000,
            sameSite: forFormPost ? CookieAttributes.SameSite.none : .lax
        ).headerValue()
    }

    /// Deletes the cookie: same name, path and prefix attributes. `name` is one that `name(for:)` or `evictions` gave.
    package func deletion(name: String) -> String { self.cookies.deletion(named: name) }

    /// The names to delete so that one more sign-in fits: what is malformed, over its lifetime or from the future, then the oldest.
    /// Ignores invalid cookie names: a browser's text never goes into a `Set-Cookie`.
    package func evictions(existingNames: some Sequence<String>, now: Int64) -> [String] {
        var evicted: [String] = []
        var live: [String] = []
        for name in Set(existingNames).sorted() where self.owns(name) && CookieAttributes.isName(name) {
            guard let id = LoginID(parsing: name.dropFirst(self.prefix.count)), now - id.createdAt < LoginTransaction.lifetime,
                id.createdAt - now <= 60_000
            else {
                evicted.append(name)
                continue
            }
            live.append(name)
        }
        // The names sort by creation time: the alphabet keeps the order of what it encodes.
        // A planted thousand would make an answer that no proxy takes: the rest go with the next sign-ins.
        return Array(evicted.prefix(Self.maximumDeletions)) + live.prefix(max(0, live.count - (Self.maximum - 1)))
    }
}
