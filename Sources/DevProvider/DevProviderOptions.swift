package import TokenCrypto

/// A program that may send people to the provider.
package struct DevClient: Sendable {
    package var id: String
    /// nil: a public client, which authenticates with nothing.
    package var secret: String?
    /// Compared byte for byte.
    package var redirectURIs: [String]
    package var postLogoutRedirectURIs: [String]
    /// Any address at 127.0.0.1 without TLS, at localhost with it, or at a name below localhost is a good redirect URI too, whatever its
    /// port: for tests, whose ports are not known beforehand.
    package var admitsLoopback = false

    package init(id: String, secret: String?, redirectURIs: [String], postLogoutRedirectURIs: [String] = []) {
        self.id = id
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
    }

    func admits(_ uri: String, among registered: [String]) -> Bool {
        registered.contains { $0.utf8.elementsEqual(uri.utf8) }
            || admitsLoopback
                && (uri.hasPrefix("http://127.0.0.1:") || uri.hasPrefix("http://localhost:") || uri.hasPrefix("https://localhost:")
                    || Self.isBelowLocalhost(uri))
    }

    private static func isBelowLocalhost(_ uri: String) -> Bool {
        guard uri.hasPrefix("http://") || uri.hasPrefix("https://"), let scheme = uri.firstRange(of: "://") else { return false }
        let host = uri[scheme.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        return host.hasSuffix(".localhost") && uri[host.endIndex...].hasPrefix(":")
    }
}

/// What a local provider is made of.
package struct DevProviderOptions: Sendable {
    package enum RefreshTokens: Sendable { case always, withOfflineAccess, never }
    package enum AccessTokens: String, Sendable { case opaque, jwt }
    package enum Offer: String, Sendable { case off, offered, required }
    package enum SenderConstraint: String, Sendable {
        case off, offered, required
        /// Offered, and each proof needs the server's nonce (RFC 9449 section 8).
        case nonce
    }

    /// What the provider's pages show.
    package struct Appearance: Sendable {
        /// The provider's name; nil: "Demo identity provider".
        package var name: String?
        /// The code that a user's authenticator app shows now; nil for users without an app.
        package var currentCode: @Sendable (Person) -> String? = { _ in nil }
    }

    /// In seconds.
    package struct Lifetimes: Sendable {
        package var accessToken: Int64 = 300
        package var idToken: Int64 = 300
        package var code: Int64 = 60
    }

    /// `scheme://host[:port][/path]`; the endpoints lie under it. The plain OAuth 2.0 side lies at the origin's root.
    package var issuer: String
    package var appearance = Appearance()
    package var clients: [DevClient]
    package var people = Person.demo
    /// Signs ID tokens. Asymmetric.
    package var algorithm = JWSAlgorithm.rs256
    /// The first signing key; nil: made when it is needed, for `algorithm`.
    package var signingKey: SigningKey?
    package var refreshTokens = RefreshTokens.always
    package var accessTokens = AccessTokens.opaque
    /// `aud` of JWT access tokens and introspection answers.
    package var apiAudience = "https://api.example.com"
    /// RFC 9126.
    package var pushedAuthorization = Offer.off
    /// RFC 9449.
    package var dpop = SenderConstraint.off
    package var lifetimes = Lifetimes()
    /// `POST /_control` answers. Only for tests: it can sign anybody in.
    package var controlEnabled = false
    /// Whose habits to take on; nil: a plain provider.
    package var emulation: Emulation?
    /// The key that the one client signs with, where it does.
    package var clientKey: SigningKey?
    /// A person with a session is sent straight back instead of being asked "continue as …?".
    package var silentSignOn = false
    /// Random bytes by count.
    package var random: @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }

    package var name: String? {
        get { appearance.name }
        set { appearance.name = newValue }
    }

    package init(issuer: String, clients: [DevClient]) {
        self.issuer = issuer
        self.clients = clients
    }
}
