import CSockets
import Glibc
import NIOCore

/// The system's calls for sockets, all of which are non-blocking and closed in a child process.
enum Sockets {
    private static let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    private static func checked(_ result: CInt, _ call: String) throws -> CInt {
        guard result >= 0 else { throw IOError(errnoCode: errno, reason: call) }
        return result
    }

    /// A new socket for connections to, or from, such an address.
    static func open(for address: SocketAddress) throws -> CInt {
        let descriptor = try checked(socket(CInt(address.protocol.rawValue), kind, 0), "socket")
        sendAtOnce(descriptor)
        // `::` stands for IPv4 too, whatever the system's default is.
        if address.protocol == .inet6 { set(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, CInt(0)) }
        return descriptor
    }

    /// Small messages are not held back for the acknowledgement of earlier ones. Of a Unix socket the question is refused, which is fine.
    static func sendAtOnce(_ descriptor: CInt) { set(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, CInt(1)) }

    @discardableResult
    static func set<Value>(_ descriptor: CInt, _ level: CInt, _ name: CInt, _ value: Value) -> Bool {
        withUnsafeBytes(of: value) { setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count)) == 0 }
    }

    static func resetOnClose(_ descriptor: CInt) { set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

    /// True when it is connected already; false when its being writable will say so.
    static func connect(_ descriptor: CInt, to address: SocketAddress) throws -> Bool {
        let result = address.withSockAddr { Glibc.connect(descriptor, $0, socklen_t($1)) }
        if result == 0 { return true }
        guard errno == EINPROGRESS else { throw IOError(errnoCode: errno, reason: "connect") }
        return false
    }

    /// The pending error of the socket, 0 without one; reading it clears it.
    static func takeError(of descriptor: CInt) -> CInt {
        var error: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
    }

    static func listen(_ descriptor: CInt, at address: SocketAddress, backlog: CInt) throws {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, CInt(1))
        _ = try checked(address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }, "bind")
        _ = try checked(Glibc.listen(descriptor, backlog), "listen")
    }

    /// Prepares a socket of a parent process that listens already.
    static func prepareInherited(_ descriptor: CInt, backlog: CInt) throws {
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            throw IOError(errnoCode: errno, reason: "listen")
        }
    }

    /// Removes the Unix socket that an earlier process has left at the path. Other files stay.
    static func removeSocket(at path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
    }

    /// The next connection that waits; -1 and `errno` when there is none.
    static func accept(_ descriptor: CInt) -> (descriptor: CInt, address: SocketAddress?) {
        var accepted: CInt = -1
        let address = address { accepted = accept4(descriptor, $0, $1, CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)) }
        return (accepted, accepted >= 0 ? address : nil)
    }

    static func localAddress(of descriptor: CInt) -> SocketAddress? {
        address { getsockname(descriptor, $0, $1) }
    }

    /// Nil for an address of another kind than IP and Unix.
    private static func address(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Void) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &length) }
            return switch CInt(storage.pointee.ss_family) {
            case AF_INET: storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6: storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_UNIX: storage.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { SocketAddress($0.pointee) }
            default: nil
            }
        }
    }
}
