import Glibc
import Synchronization

/// Ports of 127.0.0.1 for the servers of tests.
package enum LoopbackPort {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Below the ports of outgoing connections, which would otherwise take one before its server does, or while it restarts. The end-to-end
    /// tests use those from 10,240 on.
    private static let range: Range<UInt16> = 2_048..<10_240
    private static let next = Mutex(UInt16.random(in: range))

    /// Returns a port that nobody uses. No other call returns it while this process runs, in any process.
    package static func claim() throws(Failure) -> UInt16 {
        for _ in range {
            let port = next.withLock { next in
                next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
                return next
            }
            // The bus of a Redis cluster uses the second one.
            if isFree(port), isFree(port + 10_000), claim(port) { return port }
        }
        throw Failure(description: "every port from \(range.lowerBound) to \(range.upperBound - 1) is in use")
    }

    /// Whether a connection is accepted.
    package static func isListening(_ port: UInt16) -> Bool { withSocket(port) { connect($0, $1, $2) == 0 } }

    private static func isFree(_ port: UInt16) -> Bool { withSocket(port) { bind($0, $1, $2) == 0 } }

    /// Binds an abstract Unix socket of this name. The kernel closes it when the process ends, however that ends.
    private static func claim(_ port: UInt16) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0gateway-test-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        if !isBound { Glibc.close(descriptor) }
        return isBound
    }

    private static func withSocket<Result>(_ port: UInt16, _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
