/// The address of an app.
package struct UpstreamAddress: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable {
        /// HTTP/1.1 without TLS, over TCP or a Unix socket.
        case http
        /// TLS; HTTP/2 or HTTP/1.1 by ALPN.
        case https
        /// HTTP/2 without TLS, by prior knowledge (RFC 9113 section 3.3).
        case h2c
    }
    package var scheme: Scheme
    package var endpoint: ListenAddress
    package init(scheme: Scheme, endpoint: ListenAddress) {
        self.scheme = scheme
        self.endpoint = endpoint
    }

    /// The address as written: `https://app.example.com:8443`, `unix:/run/app.sock`.
    package var text: String {
        switch endpoint {
        case .unix(let path): return "unix:\(path)"
        case .tcp(let host, let port):
            let standard = scheme == .https ? 443 : 80
            return port == standard ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
        }
    }
}

/// An app and its connection settings. Durations are in milliseconds.
package struct UpstreamConfiguration: Sendable, Hashable {
    /// At least one target; all with the same scheme.
    package var targets: [UpstreamAddress]
    package var tls = UpstreamTLSConfiguration()
    package var health: HealthConfiguration?
    package var ejection = EjectionConfiguration()
    /// The maximum connections of the process to each target; nil for no limit.
    package var maxConnections: Int?

    package init(targets: [UpstreamAddress]) { self.targets = targets }

    /// The targets, for logs.
    package var text: String { targets.map(\.text).joined(separator: ", ") }
}

/// The TLS settings of an upstream. Certificates are always verified.
package struct UpstreamTLSConfiguration: Sendable, Hashable {
    /// Paths of PEM files, absolute or relative to the working directory.
    package var authority, certificate, key: String?
    package var serverName: String?
    package init() {}
}

package struct HealthConfiguration: Sendable, Hashable {
    package var path: String
    package var interval: Int64 = 5_000
    package var timeout: Int64 = 2_000
    package var healthyAfter = 2
    package var unhealthyAfter = 3
    package init(path: String) { self.path = path }
}

package struct EjectionConfiguration: Sendable, Hashable {
    package var failures = 5
    package var duration: Int64 = 10_000
    package init() {}
}
