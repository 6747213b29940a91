import Glibc
import NIOCore
import NIOPosix

/// The system's resolver: `/etc/hosts`, DNS, and whatever else `nsswitch.conf` names. It blocks, so it has threads of its own.
enum NameResolver {
    /// Empty when the name has no address or cannot be asked for.
    static func resolve(_ host: String, port: Int, on eventLoop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { addresses(of: host, port: port) }
            .flatMapErrorWithEventLoop { _, loop in loop.makeSucceededFuture([]) }
    }

    private static func addresses(of host: String, port: Int) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
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
        return result
    }
}
