import Config
import Exchanges
import Server

/// Names the changed keys of a configuration that a reload does not apply to everything at once.
enum ReloadScope {
    /// Keys that a connection keeps from when it was accepted.
    static func appliedToNewConnections(_ earlier: ServerConfiguration, _ next: ServerConfiguration) -> [String] {
        let changes: [(key: String, isChanged: Bool)] = [
            ("server.http2", earlier.http2 != next.http2),
            ("server.limits.bodyRate", earlier.limits.bodyRate != next.limits.bodyRate),
            ("server.limits.connections", earlier.limits.connections != next.limits.connections),
            ("server.limits.connectionsPerAddress", earlier.limits.connectionsPerAddress != next.limits.connectionsPerAddress),
            ("server.limits.headerBytes", earlier.limits.headerBytes != next.limits.headerBytes),
            ("server.limits.headerCount", earlier.limits.headerCount != next.limits.headerCount),
            ("server.proxyProtocol", earlier.proxyProtocol != next.proxyProtocol),
            ("server.timeouts.header", earlier.timeouts.header != next.timeouts.header),
            ("server.timeouts.idle", earlier.timeouts.idle != next.timeouts.idle),
            ("server.timeouts.rateWindow", earlier.timeouts.rateWindow != next.timeouts.rateWindow),
            ("server.tls", TLSSettings(earlier) != TLSSettings(next) && earlier.http2 == next.http2),
        ]
        return changes.filter(\.isChanged).map(\.key)
    }

    /// Keys that take effect at a restart: sockets that the service manager handed over stand for the configured addresses.
    static func appliedAtRestart(
        _ earlier: Configuration, _ next: Configuration, hasInheritedServer: Bool, hasInheritedAdmin: Bool
    ) -> [String] {
        let changes: [(key: String, isChanged: Bool)] = [
            ("server.listen", hasInheritedServer && earlier.server.listen != next.server.listen),
            ("admin.listen", hasInheritedAdmin && earlier.admin.listen != next.admin.listen),
        ]
        return changes.filter(\.isChanged).map(\.key)
    }
}
