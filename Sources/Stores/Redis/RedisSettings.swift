package import Primitives

/// The settings of a session store on servers.
package struct RedisSettings: Sendable, Equatable {
    package var topology: RedisURL.Topology
    package var database = 0
    /// nil: no TLS.
    package var tls: TLS?
    /// Empty: the default user.
    package var user = ""
    package var password: String?
    /// Of the Sentinels; nil: they require none.
    package var sentinelPassword: String?
    /// Begins all names and channels.
    package var prefix = "gateway:"
    /// The limit of one operation, of a connection attempt, and of its first commands.
    /// Keys are on several servers.
    var isCluster: Bool {
        switch topology {
        case .cluster: true
        default: false
        }
    }

    package var timeout = Duration.seconds(1)

    package struct TLS: Sendable, Equatable {
        /// The path of a PEM file; nil: the system's certificate authorities.
        package var authorities: String?
        /// The path of a PEM file with the chain; nil: none.
        package var certificate: String?
        package var key: String?

        package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
            self.authorities = authorities
            self.certificate = certificate
            self.key = key
        }
    }

    package init(topology: RedisURL.Topology) { self.topology = topology }

    /// The settings that a URL contains; `tls` is used for a URL with `rediss`.
    package init(url text: String, tls: TLS = TLS()) throws(RedisURL.Problem) {
        let url = try RedisURL(text)
        topology = url.topology
        database = url.database
        if url.isTLS { self.tls = tls }
        if let (user, password) = try RedisURL.credentials(of: text) {
            self.user = user
            self.password = password
        }
    }
}
