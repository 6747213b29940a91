package import Config
import Primitives

/// A server of a session store, as a probe needs it: without the password.
package struct OnlineStoreServer: Sendable, Hashable {
    package let address: ListenAddress
    /// True if the server uses TLS; the probe then only connects.
    package let isSecure: Bool

    /// The servers of a store's URL; empty for a text that is none.
    static func servers(of text: String) -> [OnlineStoreServer] {
        guard let url = try? RedisURL(text) else { return [] }
        if case .socket(let path) = url.topology { return [OnlineStoreServer(address: .unix(path: path), isSecure: false)] }
        return url.servers.map { server in
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            return OnlineStoreServer(address: .tcp(host: host, port: server.port), isSecure: url.isTLS)
        }
    }
}
