/// The listener at which other proxies ask for decisions.
package struct AuthorizationConfiguration: Sendable {
    package var listen: [ListenAddress] = []
    /// CIDR blocks as written, already checked. Peers on a Unix socket are limited by its file permissions instead.
    package var peers = ["127.0.0.0/8", "::1/128"]
    /// Speaks TLS with the certificates of `server.tls`.
    package var tls = false
    package init() {}
}

extension Configuration {
    /// Decisions for other proxies; nil without.
    package var authorization: AuthorizationConfiguration? {
        get { server.authorization }
        set { server.authorization = newValue }
    }
}
