import Glibc
package import NIOCore
import NIOPosix

/// The resolver's answer about a name.
package struct Resolution: Sendable {
    /// Empty when `error` says why.
    package var addresses: [SocketAddress]
    /// The resolver's error, for logs.
    package var error: String?

    package init(addresses: [SocketAddress] = [], error: String? = nil) {
        self.addresses = addresses
        self.error = error
    }
}

/// The system's resolver: `/etc/hosts`, DNS, and whatever else `nsswitch.conf` names. It blocks, so it has threads of its own.
package enum NameResolver {
    /// Resolves a name; the future always succeeds.
    package static func resolve(_ host: String, port: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Resolution> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { resolution(of: host, port: port) }
            .flatMapErrorWithEventLoop { error, loop in loop.makeSucceededFuture(Resolution(error: "\(type(of: error))")) }
    }

    private static func resolution(of host: String, port: Int) -> Resolution {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            return Resolution(error: status == EAI_SYSTEM ? SystemError.text(errno) : String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var result: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            entry = info.ai_next
            guard let pointer = info.ai_addr else { continue }
            let address: SocketAddress?
            switch info.ai_family {
            case AF_INET:
                address = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee, host: host) }
            case AF_INET6:
                address = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee, host: host) }
            default: address = nil
            }
            if let address, !result.contains(address) { result.append(address) }
        }
        return result.isEmpty ? Resolution(error: "no IPv4 or IPv6 address") : Resolution(addresses: result)
    }
}
