package import TokenCrypto

/// The normalised identity of a user from a provider. SignIn creates it after every check.
package struct ProviderIdentity: Sendable, Equatable {
    /// The provider's id in the configuration: `github.com` or `oidc.acme`.
    package var provider: String
    /// The ID token's `iss`; the provider's base URL for plain OAuth 2.0.
    package var issuer: String
    /// Unique and stable within the issuer. Never an e-mail address.
    package var subject: String
    package var email: String?
    /// Nil if the provider does not say. Only `true` counts as verified.
    package var emailVerified: Bool?
    package var username: String?
    package var name: String?
    package var picture: String?
    package var locale: String?
    package var groups: [String]
    /// The provider's claims that rules and templates need.
    package var claims: JSONValue

    package init(
        provider: String, issuer: String, subject: String, email: String? = nil, emailVerified: Bool? = nil,
        username: String? = nil, name: String? = nil, picture: String? = nil, locale: String? = nil,
        groups: [String] = [], claims: JSONValue = .object([:])
    ) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.username = username
        self.name = name
        self.picture = picture
        self.locale = locale
        self.groups = groups
        self.claims = claims
    }
}
