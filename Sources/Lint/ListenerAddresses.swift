import Primitives
import Config

/// Relations between addresses to listen on and addresses to connect to.
enum ListenerAddresses {
    static func isUnspecified(_ host: String) -> Bool { host.isEmpty || address(of: host).map(isUnspecified) ?? false }

    static func isLoopback(_ host: String) -> Bool { AbsoluteURL.isLoopback(host: host) }

    /// Returns whether a literal address is routed on the internet (RFC 6890). False for names and unspecified addresses.
    static func isPublic(_ host: String) -> Bool {
        guard let address = address(of: host), !isUnspecified(address) else { return false }
        return !inner.contains(address)
    }

    /// Returns whether the two addresses cannot be bound at the same time.
    static func conflict(_ left: ListenAddress, _ right: ListenAddress) -> Bool {
        switch (left, right) {
        case (.unix(let left), .unix(let right)): left == right
        case (.tcp(let leftHost, let leftPort), .tcp(let rightHost, let rightPort)):
            leftPort == rightPort && (leftHost == rightHost || covers(leftHost, rightHost) || covers(rightHost, leftHost))
        default: false
        }
    }

    /// Returns whether the first is the unspecified address of the second's family. Whether `[::]` includes IPv4 depends
    /// on the system (RFC 3493 section 5.3), so that is not a conflict.
    private static func covers(_ every: String, _ host: String) -> Bool {
        if every.isEmpty { return true }
        guard let all = address(of: every), isUnspecified(all) else { return false }
        return address(of: host).map { $0.isIPv4 == all.isIPv4 } ?? all.isIPv4
    }

    /// Returns whether a connection to `target` from this machine reaches the listener.
    static func reaches(_ listener: ListenAddress, from target: ListenAddress) -> Bool {
        switch (listener, target) {
        case (.unix(let left), .unix(let right)): return left == right
        case (.tcp(let host, let port), .tcp(let targetHost, let targetPort)):
            guard port == targetPort else { return false }
            if host == targetHost { return true }
            let isHere = isLoopback(targetHost) || isUnspecified(targetHost)
            return isHere && (isUnspecified(host) || (isLoopback(host) && (targetHost == "localhost" || host == "localhost")))
        default: return false
        }
    }

    private static func isUnspecified(_ address: NetworkAddress) -> Bool { address == NetworkAddress(ipv4: 0) || address.value == 0 }

    private static func address(of host: String) -> NetworkAddress? {
        NetworkAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    private static let inner = CIDRSet(
        [
            "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7",
            "fe80::/10",
        ].compactMap { CIDRBlock($0) })
}
