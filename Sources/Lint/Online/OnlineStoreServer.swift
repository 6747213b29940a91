package import Config

/// A server of a session store, as a probe needs it: without the password.
package struct OnlineStoreServer: Sendable, Hashable {
    package let address: ListenAddress
    /// True if the server uses TLS; the probe then only connects.
    package let isSecure: Bool

    /// The servers of a store URL; empty for `cookie` and for anything that is not a URL.
    static func servers(of store: String) -> [OnlineStoreServer] {
        guard let mark = store.firstRange(of: "://") else { return [] }
        let scheme = store[..<mark.lowerBound]
        let authority = store[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hosts = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let standard = scheme.contains("sentinel") ? 26379 : 6379
        return hosts.split(separator: ",").compactMap { host in
            let port = host.last == "]" ? nil : host.lastIndex(of: ":")
            let name = String(port.map { host[..<$0] } ?? host)
            let number = port.map { Int(host[host.index(after: $0)...]) } ?? standard
            guard !name.isEmpty, let number, (1...65_535).contains(number) else { return nil }
            return OnlineStoreServer(address: .tcp(host: name, port: number), isSecure: scheme.hasPrefix("rediss"))
        }
    }
}
